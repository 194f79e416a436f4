// Attributes that a class defines in C, found once.
#pragma once

#include <Python.h>

#include "object.hpp"

namespace python {

/// Reads an attribute of the objects of one class. To look it up in each of them takes longer than
/// to read it. It is kept for good.
class Getter {
public:
  Getter() = default;
  Getter(PyObject *cls, const char *name);

  /// Not for an attribute that is defined in another way than in C.
  explicit operator bool() const { return get_ != nullptr; }

  /// Its value in an object of the class. Throws what it raises.
  Object of(PyObject *object) const;

private:
  PyObject *descriptor_ = nullptr;
  descrgetfunc get_ = nullptr;
};

} // namespace python
