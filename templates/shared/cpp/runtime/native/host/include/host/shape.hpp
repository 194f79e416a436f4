// Shapes: element counts, byte counts and layouts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dtype.hpp"

namespace host {

/// Extents, in elements.
using Shape = std::vector<std::size_t>;

/// Steps from one element to the next, in bytes.
using Strides = std::vector<std::ptrdiff_t>;

/// Elements of an array of this shape; none when the number does not fit.
std::optional<std::size_t> count_of(const Shape &shape);

/// Bytes of an array of this shape and dtype. Throws `ValueError` when they do not fit into the
/// address space.
std::size_t bytes_of(const Shape &shape, DType dtype);

/// Strides of a C-contiguous array.
Strides strides_of(const Shape &shape, DType dtype);

/// Whether an array of these strides is C-contiguous. As in NumPy, the stride of an axis of
/// length one does not matter, and an empty array is contiguous.
bool is_contiguous(const Shape &shape, const Strides &strides, DType dtype);

/// As Python prints a shape: `()`, `(3,)`, `(2, 3)`.
std::string to_string(const Shape &shape);

} // namespace host
