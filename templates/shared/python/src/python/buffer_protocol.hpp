// Other exporters of the buffer protocol: `array.array`, `memoryview`, `bytearray`, …
#pragma once

#include <Python.h>
#include <optional>

#include "argument.hpp"

namespace python {

/// The array that the object exports; none when it exports none.
std::optional<Argument> import_buffer(PyObject *object);

} // namespace python
