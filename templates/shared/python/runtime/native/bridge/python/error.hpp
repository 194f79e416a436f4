// Python exceptions in C++, and C++ exceptions in Python.
#pragma once

#include <Python.h>
#include <exception>

namespace python {

/// A Python exception is set: nothing is left to do but to return to the interpreter.
struct Raised : std::exception {};

/// Sets a Python exception and throws `Raised`. The errors of `host/error.hpp` need no such call.
[[noreturn]] void raise(PyObject *type, const char *message);

/// Inside `catch (...)`: makes the current C++ exception the Python exception of its name.
void set_error() noexcept;

} // namespace python
