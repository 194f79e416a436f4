// C++ functions as functions of the module.
#pragma once

#include <Python.h>

#include <python/object.hpp>

#include "call.hpp"

namespace python {

/// The flags of a function that takes arguments.
inline constexpr int ARGUMENTS = METH_FASTCALL | METH_KEYWORDS;

template <Object (*function)(const Call &)>
PyObject *invoke(PyObject * /*module*/, PyObject *const *values, Py_ssize_t positional,
                 PyObject *names) noexcept {
  return guarded([&] { return function(Call(values, positional, names)); });
}

template <Object (*function)()>
PyObject *invoke(PyObject * /*module*/, PyObject * /*none*/) noexcept {
  return guarded(function);
}

/// A function of the module for `ARGUMENTS`. What `it` throws becomes a Python exception.
template <Object (*it)(const Call &)> PyCFunction function() {
  PyObject *(*entry)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *) = invoke<it>;
  // The interpreter knows by the flags what it really is.
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(entry));
}

/// A function of the module for `METH_NOARGS`.
template <Object (*it)()> PyCFunction function() { return invoke<it>; }

/// Adds the functions of a table, which ends with an empty entry, to a module.
inline void add_table(PyObject *module, PyMethodDef *table) {
  if (PyModule_AddFunctions(module, table) < 0) {
    throw Raised();
  }
}

} // namespace python
