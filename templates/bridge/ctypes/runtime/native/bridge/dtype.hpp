// Element types, by the names that Python has for them.
#pragma once

#include <host/dtype.hpp>

#include "core.h"

namespace core {

/// The dtype of an array-interface `typestr`. Throws `UnsupportedDType`.
host::DType dtype_of_typestr(const char *typestr);

/// An array of this dtype, with all else to be filled in.
core_array array_of(host::DType dtype);

} // namespace core
