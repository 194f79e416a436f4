// The rows of the table, by the names that the host has for what is in them.
#pragma once

#include <cuvec/abi.h>

#include <cstddef>
#include <string>

#include <host/dtype.hpp>

namespace host::rows {

static_assert(static_cast<int>(DType::C128) + 1 == CUVEC_DTYPES,
              "the same dtypes, in the same order");

/// The function of this index in `functions()`.
const cuvec_function &row(std::size_t function);

inline bool is_scalar(const cuvec_argument &argument) { return argument.role == CUVEC_SCALAR; }

inline bool is_written(const cuvec_argument &argument) {
  return argument.role != CUVEC_SCALAR && argument.role != CUVEC_IN;
}

/// How messages call an argument.
inline const char *name_of(const cuvec_argument &argument) {
  return argument.name[0] == '\0' ? "out" : argument.name;
}

/// An extent as it was declared, such as `n-1`.
std::string text_of(const cuvec_function &row, const cuvec_extent &extent);

/// A shape as it was declared, such as `(m, n-1)`.
std::string shape_of(const cuvec_function &row, const cuvec_argument &argument);

/// The same in numbers, for these dimensions, such as `(3, 4)`.
std::string shape_of(const cuvec_function &row, const cuvec_argument &argument,
                     const std::int64_t *dimensions);

/// The value of an extent for these dimensions, rounded down where it divides. Throws `ValueError`
/// for a division by zero and numbers beyond 64 bits.
std::int64_t evaluate(const cuvec_function &row, const cuvec_extent &extent,
                      const std::int64_t *dimensions);

} // namespace host::rows
