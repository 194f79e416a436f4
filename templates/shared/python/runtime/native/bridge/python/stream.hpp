// The `stream` argument.
#pragma once

#include <Python.h>
#include <optional>

#include <host/stream.hpp>

namespace python {

/// A CUDA stream by its handle, or by an object that knows it; none for None. Throws the error
/// that the caller is to get.
std::optional<host::Stream> stream(PyObject *object);

} // namespace python
