// NumPy arrays, `CuVec`s among them.
#pragma once

#include <Python.h>
#include <optional>

#include <host/array.hpp>

namespace python {

/// The array; none when the object is no NumPy array.
std::optional<host::Array> read_ndarray(PyObject *object);

/// Whether it is a `numpy.bool`.
bool is_numpy_bool(PyObject *object);

} // namespace python
