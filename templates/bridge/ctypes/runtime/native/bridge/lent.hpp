// Arrays of other libraries that are read without Python code, which would take longer than a call.
#pragma once

#include <host/stream.hpp>

#include "cpython.hpp"

namespace core {

/// An argument for ctypes of CuPy's array, or of an array whose class offers functions to C: a
/// `core_array` with the flag CORE_LENT. Null for others, and where Python code has to say what is
/// wrong; null with an exception when CuPy has raised it.
void *lent(void *cls, void *object);

/// Forgets what the last `lent` has found wrong.
void forget_failure();

/// The stream that CuPy works on, as its function says; of no use if there is an exception.
host::Stream cupys_stream(void *get_current_stream);

/// Gives back what such an argument has borrowed.
void give_back(core_array *array);

} // namespace core
