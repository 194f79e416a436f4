// Numbers that callers give, as the dtypes that functions want.
#pragma once

#include <cuvec/abi.h>

#include <string>

#include <host/functions.hpp>

namespace host::scalars {

/// Throws `TypeError` for what is no such number and `OverflowError` for what does not fit.
Value convert(const char *name, DType dtype, const Number &number);

/// A default, which a declaration gives.
Value convert(const char *name, DType dtype, const cuvec_number &number);

/// The integer that is in it.
std::int64_t to_int64(const Value &value);

} // namespace host::scalars
