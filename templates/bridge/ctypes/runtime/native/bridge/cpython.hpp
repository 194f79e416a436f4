// CPython, as the library has been handed it.
#pragma once

#include "cpython.h"

namespace core {

/// Filled in by `core_py_start`.
extern core_py python;

/// Frees an object of a class that was made at run time, at the end of its slot
/// `tp_dealloc`.
void free(void *object);

} // namespace core
