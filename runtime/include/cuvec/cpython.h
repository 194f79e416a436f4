// For modules made with CPython's C API: functions that may throw, arguments, classes around C++
// objects, and modules. All of it goes with the stable ABI of Python 3.11.
//
//     static PyObject *half(PyObject *, PyObject *arguments, PyObject *keywords) {
//       PyObject *x = nullptr;
//       cuvec::parse(arguments, keywords, "O", {"x"}, &x);
//       return halved(cuvec::Array<const double>(x, "x")).object();
//     }
//     static PyMethodDef functions[] = {cuvec::method<half>("half", "half($module, /, x)\n--\n\n"),
//     {}}; static void fill(PyObject *module) {} // classes and exceptions PyMODINIT_FUNC
//     PyInit_ext() { return cuvec::module<fill>("ext", "Doc.", functions); }
#pragma once

#include <Python.h>

#include <cstring>
#include <initializer_list>
#include <vector>

#include "api.hpp"

namespace cuvec {

/// Function that Python calls; its C++ exceptions become Python's.
using Function = PyObject *(PyObject *self, PyObject *arguments, PyObject *keywords);

/// As PyArg_ParseTupleAndKeywords, for all names and as many addresses.
template <class... T>
void parse(PyObject *arguments, PyObject *keywords, const char *format,
           std::initializer_list<const char *> names, T *...addresses) {
  std::vector<char *> list;
  for (const char *name : names) {
    list.push_back(const_cast<char *>(name));
  }
  list.push_back(nullptr);
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, format, list.data(), addresses...) == 0) {
    throw Error();
  }
}

template <Function *function>
PyObject *guarded(PyObject *self, PyObject *arguments, PyObject *keywords) noexcept {
  return guard<PyObject *>(nullptr, [&] { return function(self, arguments, keywords); });
}

/// An entry for a function or method, which takes positional and keyword arguments.
template <Function *function> PyMethodDef method(const char *name, const char *doc = nullptr) {
  const auto entry = reinterpret_cast<void (*)()>(guarded<function>);
  return {name, reinterpret_cast<PyCFunction>(entry), METH_VARARGS | METH_KEYWORDS, doc};
}

// ---- classes ------------------------------------------------------------------------------------

/// A Python object around a C++ object, which is null before __init__.
template <class T> struct Instance {
  PyObject_HEAD;
  T *object;

  static Instance &of(PyObject *self) { return *reinterpret_cast<Instance *>(self); }
};

/// The C++ object of a Python object.
template <class T> T &self(PyObject *self) {
  if (Instance<T>::of(self).object == nullptr) {
    throw std::invalid_argument("the object is not initialized");
  }
  return *Instance<T>::of(self).object;
}

inline PyObject *none() { return Py_NewRef(Py_None); }

inline PyObject *enter(PyObject *self, PyObject * /*arguments*/, PyObject * /*keywords*/) {
  return Py_NewRef(self);
}

/// Method `close` of a class that has one, which may be called twice.
template <class T>
PyObject *close(PyObject *self, PyObject * /*arguments*/, PyObject * /*keywords*/) {
  if (T *object = Instance<T>::of(self).object) {
    object->close();
  }
  return none();
}

template <class T, T *(*make)(PyObject *arguments, PyObject *keywords)>
int init(PyObject *self, PyObject *arguments, PyObject *keywords) noexcept {
  return guard(-1, [&] {
    T *const object = make(arguments, keywords);
    delete std::exchange(Instance<T>::of(self).object, object);
    return 0;
  });
}

template <class T> void dealloc(PyObject *self) noexcept {
  PyTypeObject *type = Py_TYPE(self);
  delete Instance<T>::of(self).object;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

/// Adds an object to a module, and returns it: the module's reference.
inline PyObject *add(PyObject *module, const char *name, PyObject *object) {
  const int status = PyModule_AddObjectRef(module, name, object); // null: an exception is set
  Py_XDECREF(object);
  if (status != 0) {
    throw Error();
  }
  return object;
}

/// Adds a class around T, whose objects `make` makes of the arguments. `name` begins with the name
/// of the module, and `doc` with the signature.
template <class T, T *(*make)(PyObject *arguments, PyObject *keywords)>
PyObject *add_class(PyObject *module, const char *name, const char *doc, PyMethodDef *methods) {
  PyType_Slot slots[] = {{Py_tp_doc, const_cast<char *>(doc)},
                         {Py_tp_init, reinterpret_cast<void *>(init<T, make>)},
                         {Py_tp_dealloc, reinterpret_cast<void *>(dealloc<T>)},
                         {Py_tp_methods, methods},
                         {}};
  PyType_Spec spec = {name, sizeof(Instance<T>), 0, Py_TPFLAGS_DEFAULT, slots};
  return add(module, std::strrchr(name, '.') + 1, PyType_FromSpec(&spec));
}

/// Adds an exception of the module's own.
inline PyObject *add_exception(PyObject *module, const char *name, PyObject *base) {
  return add(module, std::strrchr(name, '.') + 1, PyErr_NewException(name, base, nullptr));
}

// ---- modules ------------------------------------------------------------------------------------

/// Makes the module, once; `fill` adds classes to it.
template <void (*fill)(PyObject *module)>
PyObject *module(const char *name, const char *doc, PyMethodDef *functions) {
  const auto exec = +[](PyObject *module) {
    return guard(-1, [&] {
      load(module);
      fill(module);
      return 0;
    });
  };
  static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void *>(exec)},
#ifdef Py_GIL_DISABLED // else the import would turn the GIL on
                                     {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
                                     {}};
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, name, doc, 0, functions, slots, nullptr, nullptr, nullptr};
  return PyModuleDef_Init(&definition);
}

} // namespace cuvec
