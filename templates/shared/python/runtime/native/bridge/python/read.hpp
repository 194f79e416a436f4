// Reading Python objects that may be anything.
#pragma once

#include <Python.h>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <host/dtype.hpp>
#include <host/error.hpp>

#include "object.hpp"

namespace python {

/// Clears the Python exception that is set if it is of this type. Throws `Raised` otherwise.
void forget(PyObject *type);

/// What a function returns for one argument; no object when it has raised an exception.
Object call_with(PyObject *function, PyObject *argument);

/// A name of an attribute, to be made once and kept. Making it takes longer than looking it up.
PyObject *interned(const char *name);

/// An attribute; no object when there is none. Other errors than that are passed on.
Object attribute(PyObject *object, const char *name);
Object attribute(PyObject *object, PyObject *name);

/// An object's class, which is lent.
PyObject *class_of(PyObject *object);

/// The name of an object's class.
std::string class_name(PyObject *object);

/// The text of a string; none for other objects.
std::optional<std::string> to_string(PyObject *object);

/// An int, or an object that stands for one; no object for others.
Object to_int(PyObject *object);

/// The number of an int, if it fits into `T`; none otherwise.
template <typename T> inline std::optional<T> from_int(PyObject *integer) {
  using Wide = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
  Wide value;
  if constexpr (std::is_signed_v<T>) {
    value = PyLong_AsLongLong(integer);
  } else {
    value = PyLong_AsUnsignedLongLong(integer);
  }
  if (value == static_cast<Wide>(-1) && PyErr_Occurred() != nullptr) {
    PyErr_Clear(); // it is an int, so that only its size can be wrong
    return std::nullopt;
  }
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) {
    return std::nullopt;
  }
  return static_cast<T>(value);
}

/// A number that fits into `T`; none for other numbers and other objects.
template <typename T> inline std::optional<T> to_integer(PyObject *object) {
  if (PyLong_Check(object) != 0) { // mostly
    return from_int<T>(object);
  }
  const Object number = to_int(object);
  return number ? from_int<T>(number.get()) : std::nullopt;
}

/// The items of a sequence, as a tuple; no object for others.
Object to_tuple(PyObject *object);

/// The two items of a sequence that has two; none for others.
std::optional<std::pair<Object, Object>> to_pair(PyObject *object);

/// The numbers in a sequence, if all fit into `T`; none otherwise.
template <typename T> std::optional<std::vector<T>> to_integers(PyObject *object) {
  const Object tuple = to_tuple(object);
  if (!tuple) {
    return std::nullopt;
  }
  std::vector<T> values;
  const Py_ssize_t size = PyTuple_Size(tuple.get());
  for (Py_ssize_t index = 0; index < size; ++index) {
    const auto value = to_integer<T>(PyTuple_GetItem(tuple.get(), index));
    if (!value) {
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

/// A value that must be there; otherwise a TypeError.
template <typename T> T expect(std::optional<T> value, const char *otherwise) {
  if (!value) {
    throw host::TypeError(otherwise);
  }
  return std::move(*value);
}

/// A string as Python code has it.
inline std::string quoted(const std::string &text) { return "\"" + text + "\""; }

/// The dtype of a `typestr` from an array interface. Throws `UnsupportedDType`.
host::DType dtype_of_typestr(const std::string &typestr);

} // namespace python
