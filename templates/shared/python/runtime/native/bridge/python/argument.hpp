// Array arguments: every kind of object that a function takes.
#pragma once

#include <Python.h>
#include <memory>
#include <optional>

#include <host/array.hpp>

namespace python {

/// What an exporter handed out for one call and takes back after it. Its value is its deleter.
using Loan = std::unique_ptr<void, void (*)(void *)>;

inline Loan no_loan() {
  return {nullptr, [](void *) {}};
}

/// What is asked once for all arrays of a call.
class Asked {
public:
  host::Stream cupys_stream();

private:
  std::optional<host::Stream> cupys_;
};

/// An array argument. The array is valid as long as this lives and the caller holds the object,
/// with or without the GIL; made and destroyed with the GIL.
class Argument {
public:
  /// Reads an object. Throws the error that the caller is to get, who knows it by its name.
  Argument(PyObject *object, const char *name);
  Argument(PyObject *object, const char *name, Asked &asked);

  /// An array, and what to give back after its use.
  Argument(host::Array &&array, Loan &&loan);

  const host::Array &array() const { return array_; }

private:
  host::Array array_;
  Loan loan_;
};

} // namespace python
