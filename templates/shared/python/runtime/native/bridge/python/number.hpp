// Numbers that Python code gives.
#pragma once

#include <Python.h>
#include <complex>
#include <optional>
#include <string>

#include <host/functions.hpp>

namespace python {

/// A Python object where a function wants a number. Used with the GIL, while the caller holds it.
class Number final : public host::Number {
public:
  /// `name` is the parameter's, for messages.
  Number(PyObject *object, const char *name) : object_(object), name_(name) {}

  std::optional<host::Integer> integer() const override;
  double real() const override;
  std::complex<double> complex() const override;
  std::string type() const override;
  std::string text() const override;

private:
  [[noreturn]] void refuse() const;

  PyObject *object_;
  const char *name_;
};

/// The number in Python.
PyObject *to_python(const host::Value &value);

} // namespace python
