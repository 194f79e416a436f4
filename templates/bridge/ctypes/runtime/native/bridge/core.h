// The C interface of the package, which Python calls through ctypes.
//
// Any language that calls C can use it. Every function that can fail returns a status, and results
// are written to where the last arguments point; `core_error` has the message of the calling
// thread's last failure. Numbers have fixed widths, and sizes and addresses have 64 bits. All
// functions may be called from any thread.
#pragma once

// NOLINTBEGIN(modernize-*): this is C as well
#include <stdint.h>

#ifdef _WIN32
#define CORE_API __declspec(dllexport)
#else
#define CORE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What has happened: nothing bad, or the Python exception to raise.
typedef int32_t core_status;
enum {
  CORE_OK,
  CORE_TYPE_ERROR,
  CORE_VALUE_ERROR,
  CORE_MEMORY_ERROR,
  CORE_RUNTIME_ERROR,
  CORE_BUFFER_ERROR,
  CORE_OVERFLOW_ERROR,
  CORE_INTERRUPTED, ///< a signal has ended the call: see `core_set_interrupt_check`
  CORE_DTYPE_ERROR, ///< a type error, of elements of an unknown type in an array without a name
  CORE_UNFINISHED   ///< no error: the GPU may still use arrays of others, see `core_py_keep`
};

/// Flags of an array: NumPy's, and those above 16 bits ours.
enum {
  CORE_C_CONTIGUOUS = 0x1,
  CORE_NATIVE_ORDER = 0x200,
  CORE_WRITABLE = 0x400,
  CORE_ON_GPU = 0x10000, ///< the memory is a GPU's, and another library's
  CORE_READY = 0x20000,  ///< `ready` is a stream after whose present work the contents are ready
  CORE_OWNED = 0x40000,  ///< made by this library, with more behind it
  CORE_LENT = 0x80000    ///< `descr` points to one with the flag before, which this one owns
};

/// An array that a function borrows. Down to `descr` it is what NumPy hands out as
/// `ndarray.__array_struct__`; the rest is read only if the flags say so.
typedef struct core_array {
  int32_t two; ///< the number 2
  int32_t ndim;
  char kind; ///< `b`, `i`, `u`, `f` or `c`, as in `typestr`
  int32_t itemsize;
  uint32_t flags;
  intptr_t *shape;
  intptr_t *strides; ///< in bytes; may be null if C-contiguous
  void *data;
  void *descr; ///< NumPy's; in arguments of ours what holds the array
  uint64_t ready;
} core_array;

/// A block of memory that the host and the GPU both address, as a C-contiguous array.
typedef struct core_buffer {
  core_array array;
  uint64_t nbytes;
  int32_t device; ///< index of the GPU, -1 without one
  char typestr[8];
  char memory[8]; ///< `managed` or `pinned`
} core_buffer;

/// A stream of the caller's, by its `cudaStream_t` handle. Where a function takes a pointer to one,
/// null means: wait until the work is done.
typedef struct core_stream {
  uint64_t handle;
} core_stream;

/// What `core_device` says.
typedef struct core_device_info {
  int32_t index; ///< -1 for the CPU
  char kind[8];
  char name[256];
  char reason[1024];
} core_device_info;

/// Bytes of the pool.
typedef struct core_memory {
  uint64_t used; ///< in arrays
  uint64_t held; ///< in arrays and ready for new ones
} core_memory;

/// The message of the calling thread's last failure, in UTF-8, valid until its next one.
CORE_API const char *core_error(void);

// The functions that the files in kernels/ declare.

/// A number, as an argument and as a result.
enum { CORE_BOOL, CORE_INTEGER, CORE_REAL, CORE_COMPLEX, CORE_NO_NUMBER };
typedef struct core_number {
  int32_t kind;
  int32_t negative;   ///< integers: the sign
  uint64_t magnitude; ///< integers: without it
  int32_t too_large;  ///< integers: beyond 64 bits, and beyond `double` where `real` is infinite
  char type[28];      ///< what the caller calls it, for messages; may be empty
  double real;        ///< for all kinds
  double imaginary;
} core_number;

enum { CORE_PARAMETER_NUMBER, CORE_PARAMETER_ARRAY, CORE_RESULT, CORE_NUMBER_RESULT };
typedef struct core_parameter {
  const char *name;     ///< empty for a result without one
  const char *type;     ///< as declared, such as `T(m, n)`
  const char *fallback; ///< the default, as Python writes it; empty if there is none
  int32_t kind;
  int32_t keyword_only;
} core_parameter;

/// What a file declares. Results come last.
typedef struct core_function {
  const char *name;
  const char *signature;
  const char *doc;
  const core_parameter *parameters;
  int32_t count;
} core_function;

/// A result that the caller did not give: an array, for which `place` says where the pointer to its
/// buffer is to be written before anything runs, or a number.
typedef struct core_result {
  core_buffer **place;
  core_number number;
} core_result;

/// All functions, and how many there are. They live as long as the library.
CORE_API core_status core_functions(const core_function **result, int32_t *count);

/// Calls the function of this index. `given` has a `core_array *` or a `core_number *` for each
/// parameter, and for each result a `core_array *` or null; `results` has a row for each result.
CORE_API core_status core_call(int32_t function, const void *const *given,
                               const core_stream *stream, core_result *results);

/// The same, for callers that cannot make a row of pointers: `core_call_2(function, x, y, stream,
/// results)` and so on, up to sixteen.
#define CORE_GIVEN_1 const void *g0
#define CORE_GIVEN_2 CORE_GIVEN_1, const void *g1
#define CORE_GIVEN_3 CORE_GIVEN_2, const void *g2
#define CORE_GIVEN_4 CORE_GIVEN_3, const void *g3
#define CORE_GIVEN_5 CORE_GIVEN_4, const void *g4
#define CORE_GIVEN_6 CORE_GIVEN_5, const void *g5
#define CORE_GIVEN_7 CORE_GIVEN_6, const void *g6
#define CORE_GIVEN_8 CORE_GIVEN_7, const void *g7
#define CORE_GIVEN_9 CORE_GIVEN_8, const void *g8
#define CORE_GIVEN_10 CORE_GIVEN_9, const void *g9
#define CORE_GIVEN_11 CORE_GIVEN_10, const void *g10
#define CORE_GIVEN_12 CORE_GIVEN_11, const void *g11
#define CORE_GIVEN_13 CORE_GIVEN_12, const void *g12
#define CORE_GIVEN_14 CORE_GIVEN_13, const void *g13
#define CORE_GIVEN_15 CORE_GIVEN_14, const void *g14
#define CORE_GIVEN_16 CORE_GIVEN_15, const void *g15
#define CORE_CALL(n)                                                                               \
  CORE_API core_status core_call_##n(int32_t function, CORE_GIVEN_##n, const core_stream *stream,  \
                                     core_result *results)
CORE_CALL(1);
CORE_CALL(2);
CORE_CALL(3);
CORE_CALL(4);
CORE_CALL(5);
CORE_CALL(6);
CORE_CALL(7);
CORE_CALL(8);
CORE_CALL(9);
CORE_CALL(10);
CORE_CALL(11);
CORE_CALL(12);
CORE_CALL(13);
CORE_CALL(14);
CORE_CALL(15);
CORE_CALL(16);

/// Sets what long work on the CPU asks, on the thread of the call, whether it is to end.
CORE_API void core_set_interrupt_check(int32_t (*check)(void));

/// Copies `x` to `y`, as in host/ops.hpp.
CORE_API core_status core_assign(const core_array *x, const core_array *y,
                                 const core_stream *stream);

// The device that is worked on, and the pool that memory comes from.
CORE_API core_status core_device(core_device_info *result);
CORE_API core_status core_set_device(int64_t index);
CORE_API core_status core_synchronize(void);
CORE_API core_status core_memory_statistics(core_memory *result);
CORE_API core_status core_empty_cache(void);

// Memory. A buffer lives until it is deleted, and its memory as long as DLPack needs it.
CORE_API core_status core_buffer_new(int32_t ndim, const int64_t *shape, const char *typestr,
                                     const char *memory, int32_t zero, core_buffer **result);
CORE_API core_status core_buffer_wait(const core_buffer *buffer);
CORE_API core_status core_buffer_expose(const core_buffer *buffer);
CORE_API core_status core_buffer_prefetch(const core_buffer *buffer, const char *where,
                                          uint64_t offset, uint64_t nbytes,
                                          const core_stream *stream);
CORE_API void core_buffer_delete(core_buffer *buffer);

// Arrays of other libraries. `managed` is what a DLPack capsule points to.
CORE_API core_status core_dtype_of_typestr(const char *typestr, core_array *result);
CORE_API core_status core_dtype_of_format(const char *format, uint64_t itemsize,
                                          core_array *result);
CORE_API core_status core_dlpack_stream(int32_t device_type, int32_t device_index, uint64_t *result,
                                        int32_t *any);
CORE_API core_status core_dlpack_import(void *managed, int32_t versioned, int32_t writable,
                                        core_array **result);
CORE_API void core_dlpack_delete(core_array *array);
CORE_API core_status core_dlpack_export(const core_buffer *buffer, uint64_t address, int32_t ndim,
                                        const int64_t *shape, const int64_t *strides,
                                        const char *typestr, int32_t read_only, int32_t copied,
                                        int32_t device_type, int32_t device_index,
                                        int32_t versioned, void **result);

/// The size of each struct, and the offset of each of its members: rows of `struct.member`, up to
/// one without a name. For tests that another language declares the structs in the same way.
typedef struct core_layout_row {
  const char *name;
  uint64_t offset;
  uint64_t size;
} core_layout_row;
CORE_API extern const core_layout_row core_layout[];

#ifdef __cplusplus
}
#endif
// NOLINTEND(modernize-*)
