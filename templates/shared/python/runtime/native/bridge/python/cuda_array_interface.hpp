// `__cuda_array_interface__`, version 3 and earlier.
//
// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html
#pragma once

#include <host/array.hpp>

#include "object.hpp"

namespace python {

/// The interface of an object, a dict; no object when it has none.
Object cuda_array_interface(PyObject *object);

/// The array that such a dict describes.
host::Array read_cuda_array_interface(PyObject *interface);

/// Whether the array may be written to.
bool is_writable(PyObject *interface);

} // namespace python
