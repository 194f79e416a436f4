#include "read.hpp"

namespace python {

namespace {

/// An attribute that was looked up; no object when there is none.
Object if_found(PyObject *attribute) {
  Object found = Object::steal(attribute);
  if (!found) {
    forget(PyExc_AttributeError);
  }
  return found;
}

} // namespace

void forget(PyObject *type) {
  if (PyErr_ExceptionMatches(type) == 0) {
    throw Raised();
  }
  PyErr_Clear();
}

// NOLINTNEXTLINE(misc-const-correctness): objects are not constant in the C API
Object call_with(PyObject *function, PyObject *argument) {
  const Object arguments = checked(PyTuple_Pack(1, argument));
  return Object::steal(run(PyObject_CallObject, function, arguments.get()));
}

PyObject *interned(const char *name) { return checked(PyUnicode_InternFromString(name)).release(); }

Object attribute(PyObject *object, const char *name) {
  return if_found(run(PyObject_GetAttrString, object, name));
}

Object attribute(PyObject *object, PyObject *name) {
  return if_found(run(PyObject_GetAttr, object, name));
}

PyObject *class_of(PyObject *object) { return reinterpret_cast<PyObject *>(Py_TYPE(object)); }

std::string class_name(PyObject *object) {
  const Object name = checked(PyType_GetName(Py_TYPE(object)));
  return to_string(name.get()).value_or("");
}

std::optional<std::string> to_string(PyObject *object) {
  if (PyUnicode_Check(object) == 0) {
    return std::nullopt;
  }
  Py_ssize_t size = 0;
  const char *text = PyUnicode_AsUTF8AndSize(object, &size);
  if (text == nullptr) {
    throw Raised();
  }
  return std::string(text, static_cast<std::size_t>(size));
}

Object to_int(PyObject *object) {
  Object number = Object::steal(run(PyNumber_Index, object));
  if (!number) {
    forget(PyExc_TypeError);
  }
  return number;
}

Object to_tuple(PyObject *object) {
  return PySequence_Check(object) != 0 ? checked(run(PySequence_Tuple, object)) : Object();
}

std::optional<std::pair<Object, Object>> to_pair(PyObject *object) {
  const Object tuple = to_tuple(object);
  if (!tuple || PyTuple_Size(tuple.get()) != 2) {
    return std::nullopt;
  }
  return std::pair(Object::borrow(PyTuple_GetItem(tuple.get(), 0)),
                   Object::borrow(PyTuple_GetItem(tuple.get(), 1)));
}

host::DType dtype_of_typestr(const std::string &typestr) {
  const auto dtype = host::dtype_from_typestr(typestr);
  if (!dtype) {
    throw host::UnsupportedDType("type " + quoted(typestr));
  }
  return *dtype;
}

} // namespace python
