// C++ functions as functions of the module.
#pragma once

#include <Python.h>

#include <python/object.hpp>

#include "call.hpp"

namespace python {

template <Object (*function)(const Call &)>
PyObject *invoke(PyObject * /*module*/, PyObject *const *values, Py_ssize_t positional,
                 PyObject *names) noexcept {
  return guarded([&] { return function(Call(values, positional, names)); });
}

template <Object (*function)()>
PyObject *invoke(PyObject * /*module*/, PyObject * /*none*/) noexcept {
  return guarded(function);
}

/// An entry of a table of functions. `doc` begins with the signature that `help` shows, and the
/// function may throw: see `set_error`.
template <Object (*function)(const Call &)> PyMethodDef method(const char *name, const char *doc) {
  PyObject *(*entry)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *) = invoke<function>;
  // The interpreter knows by the flags what it really is.
  auto *any = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(entry));
  return {name, any, METH_FASTCALL | METH_KEYWORDS, doc};
}

/// The same for a function without arguments.
template <Object (*function)()> PyMethodDef method(const char *name, const char *doc) {
  PyObject *(*entry)(PyObject *, PyObject *) = invoke<function>;
  return {name, entry, METH_NOARGS, doc};
}

/// Adds the functions of a table, which ends with an empty entry, to a module.
inline void add_methods(PyObject *module, PyMethodDef *table) {
  if (PyModule_AddFunctions(module, table) < 0) {
    throw Raised();
  }
}

} // namespace python
