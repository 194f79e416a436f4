// DLPack without calls of Python: the functions that a class of arrays offers to C.
//
// https://dmlc.github.io/dlpack/latest/c_api.html#c-exchange-api
#pragma once

#include <Python.h>

#include "argument.hpp"

namespace python {

/// Reads the array that the object's class exports; false when it offers no functions that can be
/// used here, or when `__dlpack__` must decide about the object. To be called after the next
/// function, of an object that has this method.
bool import_exchange(PyObject *object, Asked &asked, Reading &reading);

/// The same of the first class that was ever found to offer some, without a look at it.
bool import_exchange_again(PyObject *object, Asked &asked, Reading &reading);

/// The same of an object that the last function has borrowed the array of, which is not borrowed.
void import_exchange_to_own(PyObject *object, Asked &asked, Reading &reading);

/// The stream that a library works on. Throws what it has raised, and as `dlpack::is_for_gpu`.
host::Stream work_stream(const host::dlpack::Exchange &exchange, host::dlpack::Device device);

} // namespace python
