/* The table between the functions of a package and its hosts. C, so that hosts in C++ and in Rust
 * and programs over ctypes read the same bytes.
 *
 * A function is a row: what `kernels/NAME.cu` declares, and for each choice of dtypes what runs on
 * the CPU and on the GPU. Rows are constants, made by the compiler from the declaration. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every change of this file. A host refuses rows of another number. */
enum { CUVEC_ABI = 2 };

enum {
  CUVEC_MAX_ARGUMENTS = 16,
  CUVEC_MAX_DIMENSIONS = 16,
  CUVEC_MAX_VARIABLES = 4,
  CUVEC_MAX_RANK = 8,
  CUVEC_MAX_TERMS = 64,
  CUVEC_MAX_NAME = 32, /* with the null at the end */
  CUVEC_MAX_ERROR = 512
};

/* Element types, in the order of the hosts' own. */
enum cuvec_dtype {
  CUVEC_BOOL,
  CUVEC_INT8,
  CUVEC_UINT8,
  CUVEC_INT16,
  CUVEC_UINT16,
  CUVEC_INT32,
  CUVEC_UINT32,
  CUVEC_INT64,
  CUVEC_UINT64,
  CUVEC_FLOAT16,
  CUVEC_FLOAT32,
  CUVEC_FLOAT64,
  CUVEC_COMPLEX64,
  CUVEC_COMPLEX128,
  CUVEC_DTYPES
};

enum cuvec_role {
  CUVEC_SCALAR, /* a number */
  CUVEC_IN,     /* an array that is read */
  CUVEC_INOUT,  /* an array that is read and written */
  CUVEC_OUT,    /* an array that is written, without being read before */
  CUVEC_RESULT  /* as CUVEC_OUT, but allocated by the host unless `out` gives it */
};

/* What ends a call. Beyond CUVEC_OK they are Python's exceptions. */
enum cuvec_status {
  CUVEC_OK,
  CUVEC_TYPE_ERROR,
  CUVEC_VALUE_ERROR,
  CUVEC_OVERFLOW_ERROR,
  CUVEC_MEMORY_ERROR,
  CUVEC_RUNTIME_ERROR,
  CUVEC_INTERRUPTED /* a signal's handler has raised: the exception is set already */
};

/* One step of an expression of dimensions in postfix notation: `2*n-1` is 2, n, *, 1, -. */
typedef struct cuvec_term {
  char operation; /* '#' a number, 'd' a dimension, or one of + - * / (which rounds down) */
  int64_t value;  /* the number, or the index of the dimension */
} cuvec_term;

/* The extent of an axis: some of the function's terms. */
typedef struct cuvec_extent {
  int16_t first, count;
} cuvec_extent;

/* A number of a declaration. */
typedef struct cuvec_number {
  int8_t is_integer;
  int64_t integer;
  double real; /* the same, where it is an integer */
} cuvec_number;

typedef struct cuvec_argument {
  char name[CUVEC_MAX_NAME]; /* empty for a result without a name */
  int8_t role;
  int8_t dtype; /* or -1 - v, the dtype that the function's variable v has in a call */
  int8_t rank;  /* -1 for `(...)`: any shape, the same for all such arrays of a call */
  int8_t keyword_only;
  int8_t has_default;
  int8_t is_number; /* a result that Python gets as a number */
  cuvec_extent shape[CUVEC_MAX_RANK];
  cuvec_number value; /* the default */
} cuvec_argument;

typedef struct cuvec_dimension {
  char name[CUVEC_MAX_NAME];
  int8_t scalar; /* the index of the integer argument that gives it, or -1: arrays do */
} cuvec_dimension;

typedef struct cuvec_variable {
  char name[CUVEC_MAX_NAME];
  int8_t count;
  int8_t dtypes[CUVEC_DTYPES];
} cuvec_variable;

/* What a body receives for each argument. */
typedef struct cuvec_value {
  void *data;           /* an array's elements, or where a scalar of the declared dtype is */
  const int64_t *shape; /* of an array, as many as its rank */
  int64_t size;         /* elements */
} cuvec_value;

/* What a host lends to a body. Filled in by the host; a body changes `error` alone. */
typedef struct cuvec_call {
  void *stream; /* a cudaStream_t; null on the CPU */
  int32_t gpu;  /* its number, as CUDA counts them; of no meaning on the CPU */
  /* Memory until the call is done, on the side that the body runs on; null if there is none. */
  void *(*scratch)(struct cuvec_call *call, size_t bytes);
  /* Runs task(context, 0) to task(context, tasks - 1) on the threads of the CPU. Tasks never
   * throw. Not zero when the call was interrupted; some tasks have not run then. */
  int (*parallel)(struct cuvec_call *call, int64_t tasks, void (*task)(void *context, int64_t i),
                  void *context);
  /* Whether the call is to end: Ctrl-C. Only on the thread of the call. */
  int (*interrupted)(struct cuvec_call *call);
  char error[CUVEC_MAX_ERROR];
} cuvec_call;

/* Runs the function; a cuvec_status, with a message in `call->error`. */
typedef int (*cuvec_body)(cuvec_call *call, const cuvec_value *values);

/* The function for one choice of dtypes. */
typedef struct cuvec_variant {
  cuvec_body cpu;
  cuvec_body gpu; /* null without CUDA */
} cuvec_variant;

typedef struct cuvec_function {
  int32_t abi;
  int32_t n_arguments, n_dimensions, n_variables, n_variants;
  const char *name;
  const char *signature; /* as it was declared */
  const char *doc;
  const char *file;
  const cuvec_argument *arguments;
  const cuvec_dimension *dimensions;
  const cuvec_variable *variables;
  const cuvec_term *terms;
  /* One for each combination of dtypes, the last variable's changing fastest. */
  const cuvec_variant *variants;
} cuvec_function;

/* The functions of the package: a list that the build writes, with null at its end. */
extern const cuvec_function *const cuvec_functions[];

#ifdef __cplusplus
}
#endif
