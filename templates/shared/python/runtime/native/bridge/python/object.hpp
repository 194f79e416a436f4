// References to Python objects that are given back by themselves.
#pragma once

#include <Python.h>
#include <utility>

#include "error.hpp"
#include "run.hpp"

namespace python {

/// Owns a reference, or none. Needs the GIL wherever it is made, changed or destroyed.
class Object {
public:
  Object() = default;

  /// Takes over a reference, as those that most functions of the C API return.
  static Object steal(PyObject *object) { return Object(object); }

  /// Adds a reference to an object that somebody else holds.
  static Object borrow(PyObject *object) {
    Py_XINCREF(object);
    return Object(object);
  }

  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  Object(Object &&other) noexcept : object_(other.release()) {}
  Object &operator=(Object &&other) noexcept {
    Object(std::move(other)).swap(*this);
    return *this;
  }
  ~Object() {
    if (object_ != nullptr) {
      run(Py_DecRef, object_);
    }
  }

  explicit operator bool() const { return object_ != nullptr; }
  PyObject *get() const { return object_; }

  /// Hands the reference to the caller.
  PyObject *release() { return std::exchange(object_, nullptr); }

private:
  explicit Object(PyObject *object) : object_(object) {}
  void swap(Object &other) noexcept { std::swap(object_, other.object_); }

  PyObject *object_ = nullptr;
};

/// What a function of the C API has returned. Throws `Raised` when that is null.
inline Object checked(PyObject *result) {
  if (result == nullptr) {
    throw Raised();
  }
  return Object::steal(result);
}

inline Object none() { return Object::borrow(Py_None); }

/// What a function returns to the interpreter: its result, or null and a Python exception for
/// whatever it threw.
template <typename Function> PyObject *guarded(const Function &function) noexcept {
  try {
    return Object(function()).release();
  } catch (...) {
    set_error();
    return nullptr;
  }
}

} // namespace python
