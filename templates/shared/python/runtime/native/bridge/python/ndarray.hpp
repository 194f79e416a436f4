// NumPy arrays, `CuVec`s among them.
#pragma once

#include <Python.h>

#include "argument.hpp"

namespace python {

/// Gets NumPy's functions for C. To be called before those below: while the module is made, for a
/// first call may come when the interpreter ends and nothing can be imported any more.
void import_numpy();

/// Reads an array, which cannot be resized as long as the loan lives. False when the object is no
/// NumPy array. Throws `ValueError` for masked arrays.
bool read_ndarray(PyObject *object, Reading &reading);

/// The element type that a `numpy.dtype` says; none of others, and for other objects.
std::optional<host::DType> dtype_of_numpys(PyObject *object);

/// Whether it is a `numpy.bool`.
bool is_numpy_bool(PyObject *object);

} // namespace python
