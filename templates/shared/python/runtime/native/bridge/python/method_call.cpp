#include "method_call.hpp"

#include <algorithm>
#include <array>

#ifndef _WIN32
#include <dlfcn.h>
#endif

#include "read.hpp"

namespace python {

namespace {

using VectorcallMethod = PyObject *(*)(PyObject *, PyObject *const *, std::size_t, PyObject *);

/// PyObject_VectorcallMethod, which makes no method and no dict first. Interpreters since 3.9 have
/// it, but the stable ABI only from 3.12 on: so it is looked up.
VectorcallMethod vectorcall_method() {
#ifdef _WIN32
  return nullptr;
#else
  static const auto found =
      reinterpret_cast<VectorcallMethod>(dlsym(RTLD_DEFAULT, "PyObject_VectorcallMethod"));
  return found;
#endif
}

Object call_by_dict(PyObject *object, PyObject *method, std::initializer_list<PyObject *> values,
                    PyObject *names) {
  const Object bound = Object::steal(run(PyObject_GetAttr, object, method));
  if (!bound) {
    return {};
  }
  const Object nothing = checked(PyTuple_New(0));
  const Object by_name = checked(PyDict_New());
  Py_ssize_t place = 0;
  for (PyObject *value : values) {
    if (PyDict_SetItem(by_name.get(), PyTuple_GetItem(names, place++), value) < 0) {
      throw Raised();
    }
  }
  return Object::steal(run(PyObject_Call, bound.get(), nothing.get(), by_name.get()));
}

} // namespace

Object call_method(PyObject *object, PyObject *method, std::initializer_list<PyObject *> values,
                   PyObject *names) {
  const auto vectorcall = vectorcall_method();
  if (vectorcall == nullptr) {
    return call_by_dict(object, method, values, names);
  }
  std::array<PyObject *, 1 + MOST_NAMES> all{object};
  std::copy(values.begin(), values.end(), all.begin() + 1);
  return Object::steal(run(vectorcall, method, all.data(), 1, names));
}

} // namespace python
