// The arrays of one call.
#pragma once

#include <cuvec/abi.h>

#include <host/array.hpp>
#include <host/inplace_vector.hpp>

namespace host {

/// Null in the place of what is none.
using Arrays = InplaceVector<const Array *, CUVEC_MAX_ARGUMENTS>;

} // namespace host
