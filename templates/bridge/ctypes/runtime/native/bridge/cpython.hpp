// CPython, as the library has been handed it.
#pragma once

#include <memory>

#include "cpython.h"

namespace core {

/// Filled in by `core_py_start`.
extern core_py python;

/// A reference to an object of Python's. Needs the GIL.
using Reference = std::unique_ptr<void, void (*)(void *)>;

/// Takes over a reference.
inline Reference owned(void *object) { return {object, python.Py_DecRef}; }

/// An attribute; null without an exception if it cannot be had.
Reference attribute(void *object, void *name);

/// Frees an object of a class that was made at run time, at the end of its slot
/// `tp_dealloc`.
void free(void *object);

} // namespace core
