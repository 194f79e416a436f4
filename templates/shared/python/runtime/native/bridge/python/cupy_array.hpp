// What CuPy's arrays are, field by field: to be told by `__dlpack__` takes as long as half a call.
#pragma once

#include <Python.h>
#include <optional>

#include <host/array.hpp>

namespace python::cupy {

/// Looks how the first of CuPy's arrays is read, for all.
void look(PyObject *array);

/// Reads one, but for when it is ready and where. Returns the GPU that it is on; none for an array
/// without elements or with ones that are unknown, and where CuPy is not as expected.
std::optional<int> read(PyObject *array, host::Array &result);

} // namespace python::cupy
