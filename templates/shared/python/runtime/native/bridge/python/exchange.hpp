// DLPack without calls of Python: the functions that a class of arrays offers to C.
//
// https://dmlc.github.io/dlpack/latest/c_api.html#c-exchange-api
#pragma once

#include <Python.h>
#include <optional>

#include "argument.hpp"

namespace python {

/// The array that the object's class exports; none when it offers no functions that can be used
/// here, or when `__dlpack__` must decide about the object. To be called after the next function,
/// of an object that has this method.
std::optional<Argument> import_exchange(PyObject *object);

/// The same of the first class that was ever found to offer some, without a look at it.
std::optional<Argument> import_exchange_again(PyObject *object);

} // namespace python
