// The `stream` argument.
#pragma once

#include <Python.h>
#include <optional>

#include <host/stream.hpp>

namespace python {

/// A CUDA stream by its handle, or by an object that knows it. Throws the error that the caller is
/// to get.
host::Stream stream(PyObject *object);

/// The same; none for None.
std::optional<host::Stream> stream_if_any(PyObject *object);

} // namespace python
