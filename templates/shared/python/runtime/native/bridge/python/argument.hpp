// Array arguments: every kind of object that a function takes.
#pragma once

#include <Python.h>
#include <memory>

#include <host/array.hpp>

namespace python {

/// What an exporter handed out for one call and takes back after it. Its value is its deleter.
using Loan = std::unique_ptr<void, void (*)(void *)>;

inline Loan no_loan() {
  return {nullptr, [](void *) {}};
}

/// An array argument. The array is valid as long as this lives and the caller holds the object,
/// with or without the GIL; made and destroyed with the GIL.
class Argument {
public:
  /// Reads an object. Throws the error that the caller is to get, who knows it by its name.
  Argument(PyObject *object, const char *name);

  /// An array, and what to give back after its use.
  Argument(host::Array array, Loan loan);

  const host::Array &array() const { return array_; }

private:
  host::Array array_;
  Loan loan_;
};

} // namespace python
