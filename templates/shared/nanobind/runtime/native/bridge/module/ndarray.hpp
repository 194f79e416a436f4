// NumPy arrays, `CuVec`s among them.
#pragma once

#include <optional>

#include <host/array.hpp>
#include <nanobind/nanobind.h>

/// None when the object is no NumPy array.
std::optional<host::Array> read_ndarray(nanobind::handle object);
