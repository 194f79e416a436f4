// What the parts of the module add to it.
#pragma once

#include <Python.h>

namespace python {

void add_device(PyObject *module);
void add_functions(PyObject *module);
void add_memory(PyObject *module);

} // namespace python
