// What CPython itself calls, with the GIL held: slots of the class `Buffer` and the destructor of
// DLPack capsules. In C, because they also run while the interpreter ends, when no Python code can.
//
// The types are those of the stable ABI of Python 3.11, so that one library serves all versions.
// The interpreter is not linked: it hands over the three functions that are needed.
#pragma once

#include "core.h"

// NOLINTBEGIN(modernize-*): this is C as well
#ifdef __cplusplus
extern "C" {
#endif

/// `Py_buffer`.
typedef struct core_py_buffer {
  void *buf;
  void *obj;
  intptr_t len;
  intptr_t itemsize;
  int32_t readonly;
  int32_t ndim;
  const char *format;
  intptr_t *shape;
  intptr_t *strides;
  intptr_t *suboffsets;
  void *internal;
} core_py_buffer;

/// Functions of CPython, and the place of a `core_buffer *` in objects of the class `Buffer`.
typedef struct core_py {
  void (*Py_IncRef)(void *object);
  int32_t (*PyCapsule_IsValid)(void *capsule, const char *name);
  void *(*PyCapsule_GetPointer)(void *capsule, const char *name);
  int64_t offset;
} core_py;

/// To be called before everything below.
CORE_API void core_py_start(const core_py *python);

/// The array in a capsule that is NumPy's `__array_struct__`.
CORE_API const core_array *core_py_array(void *capsule);

/// Slot `bf_getbuffer`.
CORE_API int32_t core_py_getbuffer(void *self, core_py_buffer *view, int32_t flags);

/// Slot `tp_finalize`: deletes the buffer.
CORE_API void core_py_finalize(void *self);

/// Deletes what is in a capsule that nobody took it from.
CORE_API void core_py_destroy_capsule(void *capsule);

// Names of capsules. A capsule has no copy of its name, and may outlive every object of Python's.
CORE_API extern const char core_py_dltensor[];
CORE_API extern const char core_py_dltensor_versioned[];
CORE_API extern const char core_py_used_dltensor[];
CORE_API extern const char core_py_used_dltensor_versioned[];

#ifdef __cplusplus
}
#endif
// NOLINTEND(modernize-*)
