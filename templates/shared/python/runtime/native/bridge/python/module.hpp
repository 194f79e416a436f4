// What every extension module of the package holds, whichever tool makes it.
#pragma once

#include <Python.h>

namespace python {

/// Adds all of it to a module. Throws `Raised`.
void fill(PyObject *module);

// The parts of it.
void add_buffer(PyObject *module);
void add_device(PyObject *module);
void add_functions(PyObject *module);
void add_memory(PyObject *module);
void add_xla(PyObject *module);

} // namespace python
