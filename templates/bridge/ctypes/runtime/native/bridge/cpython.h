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
  void (*PyErr_Fetch)(void **type, void **value, void **traceback);
  void (*PyErr_NormalizeException)(void **type, void **value, void **traceback);
  void (*PyErr_Restore)(void *type, void *value, void *traceback);
  int32_t (*PyException_SetTraceback)(void *exception, void *traceback);
  void *(*PyErr_Occurred)(void);
  void *(*PyObject_Type)(void *object);
  void *(*PyObject_GetAttr)(void *object, void *name);
  void *(*PyObject_Call)(void *function, void *positional, void *named);
  void *(*PyUnicode_InternFromString)(const char *text);
  void (*PyObject_Free)(void *memory);
  void *(*PyObject_CallFunctionObjArgs)(void *function, ...);
  int32_t (*PyType_IsSubtype)(void *type, void *base);
  void *(*PyType_GenericAlloc)(void *type, intptr_t items);
  void *(*PyBytes_FromStringAndSize)(const char *content, intptr_t size);
  char *(*PyBytes_AsString)(void *bytes);
  void *(*PyLong_FromLong)(long number);
  unsigned long long (*PyLong_AsUnsignedLongLong)(void *number);
  long long (*PyLong_AsLongLongAndOverflow)(void *number, int32_t *overflow);
  double (*PyFloat_AsDouble)(void *number);
  int32_t (*PyErr_CheckSignals)(void);
  int32_t (*PyGILState_Ensure)(void);
  void (*PyGILState_Release)(int32_t state);
  void *(*PyWeakref_NewRef)(void *object, void *callback);
  void *(*PyCapsule_New)(void *pointer, const char *name, void (*destructor)(void *capsule));
  int32_t (*PyCapsule_IsValid)(void *capsule, const char *name);
  void *(*PyCapsule_GetPointer)(void *capsule, const char *name);
  int32_t (*PyCapsule_SetName)(void *capsule, const char *name);
  void *(*PyImport_GetModuleDict)(void);
  intptr_t (*PyDict_Size)(void *dictionary);
  void *(*get)(void *attribute, void *array, void *type); ///< `tp_descr_get` of both below
  void *none;                                             ///< `None`
  void *no;                                               ///< `False`
  void *ndarray;                                          ///< NumPy's class
  void *array_struct; ///< its attribute `__array_struct__`, whatever subclasses have
  void *base;         ///< its attribute `base`
  void *integer;      ///< the class `int`
  void *real;         ///< the class `float`
  void *holder;       ///< a subclass of `bytes` whose slot `tp_dealloc` is `core_py_let_go`
  int64_t offset;     ///< of the `core_buffer *` in objects of the class `Buffer`
} core_py;

/// To be called before everything below.
CORE_API void core_py_start(const core_py *python);

/// Body of a function of one argument, which returns what the function `other` makes of it. ctypes
/// replaces an exception of any kind by one of its own; this one is kept, to be asked for.
CORE_API void *core_py_convert(void *other, void *value);

/// The exception that the calling thread's last conversion of an argument has ended with, or None.
/// Nothing is kept afterwards.
CORE_API void *core_py_kept(void);

/// Body of a function of one argument, which makes an argument for ctypes of an array of NumPy's: a
/// `core_array`, with its shape and strides behind it, as the content of a `bytes` object. As long
/// as that lives, the array cannot be resized. What is not such an array, or of a subclass that is
/// not trusted, is converted as above.
CORE_API void *core_py_array(void *other, void *value);

/// Trusts the arrays of a subclass of NumPy's class: they are no more than their memory.
CORE_API void core_py_trust(void *cls);

/// Makes CuPy's class known, whose arrays are read without Python code from then on: the function
/// that says on which stream CuPy works, and the arguments of their method `__dlpack__`.
CORE_API void core_py_cupy(void *cls, void *get_current_stream, void *nothing, void *arguments);

/// The same for the argument `stream`: None is a null pointer, and a handle that is an `int` makes
/// a `core_stream`.
CORE_API void *core_py_stream(void *other, void *value);

/// The same for that of a declared function. None is converted as above, too, when more has been
/// imported than `core_py_others` knows, and when `core_py_refuse_beside` would refuse the call.
CORE_API void *core_py_stream_of_call(void *other, void *value);

/// What says which stream is current: PyTorch's functions for C, which live as long as the process,
/// or null, and a function of CuPy's or None; of `modules` modules that are imported.
CORE_API void core_py_others(int64_t modules, const void *torch, void *cupy);

/// Refuses a call without a stream on the current GPU while one of them records a graph on its
/// current stream: the call would run now, and be no part of the graph.
CORE_API core_status core_py_refuse_beside(void);

/// The same for a number: an `int` of up to 64 bits and a `float` make a `core_number`.
CORE_API void *core_py_number(void *other, void *value);

/// Whether Ctrl-C was pressed, or another signal's handler raises. The exception is kept.
CORE_API int32_t core_py_interrupted(void);

/// The address of what XLA calls for all functions, on the CPU or on GPUs; what it cannot do it
/// leaves to `other`. See host/xla.hpp.
CORE_API void *core_py_xla_handler(int32_t on_gpu, void *other);

/// Keeps the arguments of this thread's last call, which has returned CORE_UNFINISHED, until the
/// GPU is done with them and this or the next function is called.
CORE_API core_status core_py_keep(void *arguments);

/// Lets go of all that the GPU is done with. What is freed may run any code.
CORE_API core_status core_py_release(void);

/// The array of an object whose class offers these functions to C: the content of a capsule called
/// `dlpack_exchange_api`. Left alone, which is null before, when they are none that can be used
/// here. A failure may leave an exception of Python's, which ctypes then raises, and an array,
/// which is deleted afterwards: the exporter's deleter may run Python code, which must not see an
/// exception.
CORE_API core_status core_py_exchange(const void *functions, void *object, core_array **result);

/// Takes the tensor out of a DLPack capsule and reads it. `result` owns it from then on, whatever
/// happens to Python meanwhile.
CORE_API core_status core_py_import(void *capsule, int32_t versioned, int32_t writable,
                                    core_array **result);

/// A new capsule with a tensor of a part of a buffer, as of `core_dlpack_export`; or the status of
/// a failure, as an `int`.
CORE_API void *core_py_export(const core_buffer *buffer, uint64_t address, int32_t ndim,
                              const int64_t *shape, const int64_t *strides, const char *typestr,
                              int32_t read_only, int32_t copied, int32_t device_type,
                              int32_t device_index, int32_t versioned);

/// Allocates the memory of an object of the class `Buffer` that has none yet.
CORE_API core_status core_py_buffer_new(void *self, int32_t ndim, const int64_t *shape,
                                        const char *typestr, const char *memory, int32_t zero);

/// Slot `bf_getbuffer`.
CORE_API int32_t core_py_getbuffer(void *self, core_py_buffer *view, int32_t flags);

/// Slot `tp_dealloc`: deletes the buffer. Python code cannot call it, as it can `__del__`.
CORE_API void core_py_dealloc(void *self);

/// Slot `tp_dealloc` of arguments that hold an array.
CORE_API void core_py_let_go(void *self);

/// Deletes what is in a capsule that nobody took it from.
CORE_API void core_py_destroy_capsule(void *capsule);

// Names of capsules. A capsule has no copy of its name, and may outlive every object of Python's.
CORE_API extern const char core_py_dltensor[];
CORE_API extern const char core_py_dltensor_versioned[];
CORE_API extern const char core_py_used_dltensor[];
CORE_API extern const char core_py_used_dltensor_versioned[];
CORE_API extern const char core_py_exchange_api[];

#ifdef __cplusplus
}
#endif
// NOLINTEND(modernize-*)
