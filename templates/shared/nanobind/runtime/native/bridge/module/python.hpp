// Reading Python objects that may be anything.
#pragma once

#include <string>

#include <host/dtype.hpp>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

/// A name of an attribute, to be made once and kept. Making it takes longer than looking it up.
inline PyObject *interned(const char *name) {
  PyObject *made = PyUnicode_InternFromString(name);
  if (made == nullptr) {
    nb::raise_python_error();
  }
  return made;
}

/// An attribute that was looked up; an invalid object when there is none. Other errors than that
/// are passed on.
inline nb::object if_found(PyObject *found) {
  if (found == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) {
      nb::raise_python_error();
    }
    PyErr_Clear();
  }
  return nb::steal(found);
}

inline nb::object attribute(nb::handle object, const char *name) {
  return if_found(PyObject_GetAttrString(object.ptr(), name));
}

inline nb::object attribute(nb::handle object, PyObject *name) {
  return if_found(PyObject_GetAttr(object.ptr(), name));
}

/// The value of an object that must be a `T`; otherwise a TypeError.
template <typename T> T expect(nb::handle object, const char *otherwise) {
  T value{};
  if (!nb::try_cast<T>(object, value)) {
    throw nb::type_error(otherwise);
  }
  return value;
}

/// The name of an object's class.
inline std::string class_name(nb::handle object) {
  return nb::cast<std::string>(object.type().attr("__name__"));
}

/// A string as Python code has it.
inline std::string quoted(const std::string &text) { return "\"" + text + "\""; }

/// The error for elements of a type that is none of `host::DType`.
inline nb::builtin_exception unsupported(const std::string &dtype) {
  return nb::type_error(("arrays of " + dtype + " are not supported").c_str());
}

/// The dtype of a `typestr` from an array interface.
inline host::DType dtype_of_typestr(const std::string &typestr) {
  const auto dtype = host::dtype_from_typestr(typestr);
  if (!dtype) {
    throw unsupported("type " + quoted(typestr));
  }
  return *dtype;
}
