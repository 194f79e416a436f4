// The functions of the package.
//
// Each checks its arguments before it touches anything, then runs on the device that the
// arguments are on. With `stream` results are complete when the stream has reached them,
// otherwise on return. They throw
//   `TypeError`     for other dtypes;
//   `ValueError`    for arrays that differ in shape, are not C-contiguous or are on two devices,
//                   for outputs that are read-only or overlap with inputs;
//   `RuntimeError`  for errors of CUDA.
#pragma once

#include <cstdint>
#include <optional>

#include "array.hpp"

namespace host {

/// Adds `a * x` to `y`, element by element. Both are float32 or both float64, of any shape.
void axpy(double a, const Array &x, const Array &y, std::optional<Stream> stream = {});

/// The sum of the products of the elements of `x` and `y`, float32 or float64 of any shape, added
/// in float64 or better. Equal input gives equal bits. Complete on return, with `stream` too.
double dot(const Array &x, const Array &y, std::optional<Stream> stream = {});

/// Copies `x` to `y`, wherever they are. Of any dtype.
void assign(const Array &x, const Array &y, std::optional<Stream> stream = {});

/// The address of the first element of `x`, reported by a kernel that was given `x`; on the CPU,
/// by this function.
std::uintptr_t address(const Array &x);

} // namespace host
