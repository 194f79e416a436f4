// What CPython itself calls, with the GIL held: slots of the class `Buffer` and the destructor of
// DLPack capsules, which also run while the interpreter ends, when no Python code can; and the
// conversion of array arguments, which in Python would take longer than a small call.
//
// The types are those of the stable ABI of Python 3.11, so that one library serves all versions.
// The interpreter is not linked: it hands over the functions that are needed.
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

/// Functions and objects of CPython, which live as long as the library.
typedef struct core_py {
  void (*Py_IncRef)(void *object);
  void (*Py_DecRef)(void *object);
  void (*PyErr_Clear)(void);
  int32_t (*PyObject_IsInstance)(void *object, void *type);
  void *(*PyObject_GetAttr)(void *object, void *name);
  void *(*PyObject_CallFunctionObjArgs)(void *function, ...);
  void *(*PyBytes_FromStringAndSize)(const char *content, intptr_t size);
  char *(*PyBytes_AsString)(void *bytes);
  unsigned long long (*PyLong_AsUnsignedLongLong)(void *number);
  int32_t (*PyCapsule_IsValid)(void *capsule, const char *name);
  void *(*PyCapsule_GetPointer)(void *capsule, const char *name);
  void *none;         ///< `None`
  void *ndarray;      ///< NumPy's class
  void *array_struct; ///< the name of its attribute `__array_struct__`
  void *integer;      ///< the class `int`
  int64_t offset;     ///< of the `core_buffer *` in objects of the class `Buffer`
} core_py;

/// To be called before everything below.
CORE_API void core_py_start(const core_py *python);

/// Body of a function of one argument, which makes an argument for ctypes of an array of NumPy's: a
/// `core_array`, with its shape and strides behind it, as the content of a `bytes` object. What is
/// not such an array, it gives to `other`, a function as well.
CORE_API void *core_py_array(void *other, void *value);

/// The same for the argument `stream`: None is a null pointer, and a handle that is an `int` makes
/// a `core_stream`.
CORE_API void *core_py_stream(void *other, void *value);

/// The array of an object whose class offers these functions to C: the content of a capsule called
/// `dlpack_exchange_api`. Left alone, which is null before, when they are none that can be used
/// here. A failure may leave an exception of Python's, which ctypes then raises, and an array,
/// which is deleted afterwards: the exporter's deleter may run Python code, which must not see an
/// exception.
CORE_API core_status core_py_exchange(const void *functions, void *object, core_array **result);

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
