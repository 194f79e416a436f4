// What the runtime itself does with arrays.
#pragma once

#include <optional>

#include "array.hpp"

namespace host {

/// Copies `x` to `y`, wherever they are, of any dtype. Checks its arguments before it touches
/// anything, then runs on the device that they are on. With `stream` it is complete when the stream
/// has reached it, otherwise on return. It throws
///   `TypeError`     for different dtypes;
///   `ValueError`    for arrays that differ in shape, are not C-contiguous, on two devices or
///                   overlap, and a `y` that is read-only;
///   `RuntimeError`  for errors of CUDA.
void assign(const Array &x, const Array &y, std::optional<Stream> stream = {});

} // namespace host
