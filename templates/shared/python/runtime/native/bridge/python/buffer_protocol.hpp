// The buffer protocol, both ways: `memoryview`, `array.array`, `bytearray`, …
#pragma once

#include <Python.h>

#include "argument.hpp"
#include "buffer.hpp"

namespace python {

/// Reads the array that the object exports; false when it exports none.
bool import_buffer(PyObject *object, Reading &reading);

/// Fills in a view of a buffer that has what `flags` ask for. It keeps `owner` alive, the Python
/// object that the buffer is in.
void export_buffer(PyObject *owner, const Buffer &buffer, Py_buffer *view, int flags) noexcept;

} // namespace python
