// NumPy arrays, `CuVec`s among them.
#pragma once

#include <Python.h>
#include <optional>

#include "argument.hpp"

namespace python {

/// The array, which cannot be resized as long as the argument lives; none when the object is no
/// NumPy array. Throws `ValueError` for masked arrays.
std::optional<Argument> read_ndarray(PyObject *object);

/// Whether it is a `numpy.bool`.
bool is_numpy_bool(PyObject *object);

} // namespace python
