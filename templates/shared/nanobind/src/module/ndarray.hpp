// NumPy arrays, `CuVec`s among them.
#pragma once

#include <optional>

#include "argument.hpp"

/// The array, which cannot be resized as long as the argument lives; none when the object is no
/// NumPy array. Throws a ValueError for masked arrays.
std::optional<Argument> read_ndarray(nanobind::handle object);
