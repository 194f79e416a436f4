// Calls of methods with arguments by name.
#pragma once

#include <Python.h>
#include <cstddef>
#include <initializer_list>

#include "object.hpp"

namespace python {

/// What the method returns for these values, one for each of `names`, a tuple of at most
/// `MOST_NAMES` strings; no object when it has raised an exception.
Object call_method(PyObject *object, PyObject *method, std::initializer_list<PyObject *> values,
                   PyObject *names);

constexpr std::size_t MOST_NAMES = 2;

} // namespace python
