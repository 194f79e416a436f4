/* The runtime for code written by hand: arrays, streams, declared functions and errors, as
 * plain C, so that any binding tool can use it. It is a struct of functions in a capsule, as
 * NumPy's C API is: nothing has to be linked.
 *
 *     PyObject *core = PyImport_ImportModule("mypkg.cuvec._core");
 *     PyObject *capsule = PyObject_GetAttrString(core, "_api");
 *     const cuvec_api *api = PyCapsule_GetPointer(capsule, CUVEC_API_CAPSULE);
 *     if (api->version != CUVEC_API) ...
 *
 * All functions but `release` and `set_threads` need the GIL. What fails returns null or a negative
 * number, with Python's exception set. C++ uses api.hpp, Rust the crate `cuvec` in ../../rust. */
#pragma once

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _object PyObject;

/* Changes with every change that is not a function more at the end of `cuvec_api`. */
enum { CUVEC_API = 1 };

#define CUVEC_API_CAPSULE "cuvec.api"

/* An array that is borrowed: its memory stays where it is until it is released. Only the body of
 * a `run` touches elements; it gets their address on its side. */
typedef struct cuvec_array {
  const int64_t *shape; /* as many as its rank */
  int64_t size;         /* elements */
  int32_t rank;
  int32_t dtype; /* a cuvec_dtype */
  int32_t role;  /* a cuvec_role */
  int32_t gpu;   /* the GPU that the memory is on, or -1: only the host's */
} cuvec_array;

/* A body of a `run`: a cuvec_status, with a message in `call->error`, or a negative number of its
 * own. It must neither throw nor use Python: the GIL is released. */
typedef int (*cuvec_api_body)(cuvec_call *call, const cuvec_value *values, void *context);

typedef struct cuvec_api {
  int32_t version;
  int32_t size; /* bytes of this struct: a later runtime has more functions */

  /* Borrows any array that a declared function takes, with the same checks. Messages call it
   * `name`. `role` is CUVEC_IN, CUVEC_INOUT or CUVEC_OUT; `dtype` 0 takes any, `rank` -1 any. */
  cuvec_array *(*borrow)(PyObject *object, const char *name, int32_t role, int32_t dtype,
                         int32_t rank);

  /* Borrows a new CuVec of zeros, as CUVEC_INOUT. */
  cuvec_array *(*zeros)(int32_t dtype, int32_t rank, const int64_t *shape);

  /* The array's Python object: a new reference. */
  PyObject *(*object)(const cuvec_array *array);

  /* Ends the borrowing; null is allowed. It keeps an exception that is set, and needs no GIL.
   * Memory that the GPU still uses is kept until it is done. */
  void (*release)(cuvec_array *array);

  /* Runs a body like a declared function's, which messages call `function`. On the GPU if there
   * is one and `gpu` is not null, otherwise on the CPU. Without the GIL, after everything that the
   * arrays wait for, and in the order of `stream`: a CUDA stream in any form that a declared
   * function takes. Without a stream (null or None) it synchronizes. Arrays on the other side are
   * copied there and back. At most CUVEC_MAX_ARGUMENTS arrays; one that is written overlaps no
   * other. Returns 0, or -1 with an exception set, or the negative number that the body has
   * returned. */
  int (*run)(const char *function, PyObject *stream, cuvec_array *const *arrays, int32_t n,
             cuvec_api_body cpu, cuvec_api_body gpu, void *context);

  /* Calls a declared function, or `assign` of `_core`. `arguments` is a tuple or null, `keywords` a
   * dict or null. */
  PyObject *(*call)(const char *function, PyObject *arguments, PyObject *keywords);

  /* The GPU that is worked on, -1 without one, or -2 with an exception set. */
  int32_t (*device)(void);

  /* Runs the handlers of signals, as loops do that are in no body: -1 if one has raised. */
  int (*check_signals)(void);

  /* Sets the exception of a cuvec_status with a message, and returns -1. */
  int (*set_error)(int32_t status, const char *message);

  /* Lets at most so many threads work on the CPU in the calls from now on; 0 lets all that there
   * are. Variables such as OMP_NUM_THREADS say how many that is. Returns what it was before. Needs
   * no GIL. */
  int32_t (*set_threads)(int32_t threads);
} cuvec_api;

#ifdef __cplusplus
}
#endif
