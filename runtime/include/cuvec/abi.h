/* The interface between the functions of a package (the library `_functions`) and the core. Plain
 * C, so that CUDA C++ and Rust make the same rows, and nothing here knows of Python.
 *
 * A function is a row: the declaration in `kernels/NAME.cu` or `kernels/NAME.rs` as text, which the
 * core reads, and for each choice of dtypes the bodies for the CPU and for the GPU. The core loads
 * `_functions` and calls `cuvec_functions()`, the only symbol that the library exports. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every change of this file. The core refuses a library of another number. */
enum { CUVEC_ABI = 12 };

enum {
  CUVEC_MAX_ARGUMENTS = 32,
  CUVEC_MAX_VARIABLES = 4,
  CUVEC_MAX_RANK = 8,
  CUVEC_MAX_ERROR = 512
};

/* Element types: the name in NumPy or ml_dtypes, the name here, DLPack's type code, and the bits of
 * an element. */
#define CUVEC_DTYPES(X)                                                                            \
  X(bool, BOOL, 6, 8)                                                                              \
  X(int8, INT8, 0, 8)                                                                              \
  X(uint8, UINT8, 1, 8)                                                                            \
  X(int16, INT16, 0, 16)                                                                           \
  X(uint16, UINT16, 1, 16)                                                                         \
  X(int32, INT32, 0, 32)                                                                           \
  X(uint32, UINT32, 1, 32)                                                                         \
  X(int64, INT64, 0, 64)                                                                           \
  X(uint64, UINT64, 1, 64)                                                                         \
  X(float16, FLOAT16, 2, 16)                                                                       \
  X(float32, FLOAT32, 2, 32)                                                                       \
  X(float64, FLOAT64, 2, 64)                                                                       \
  X(complex64, COMPLEX64, 5, 64)                                                                   \
  X(complex128, COMPLEX128, 5, 128)                                                                \
  X(bfloat16, BFLOAT16, 4, 16)                                                                     \
  X(float8_e4m3fn, FLOAT8_E4M3FN, 10, 8)                                                           \
  X(float8_e5m2, FLOAT8_E5M2, 12, 8)                                                               \
  X(float8_e8m0fnu, FLOAT8_E8M0FNU, 14, 8)

/* CUVEC_FLOAT32 and so on: the type code times 256, plus the bits. */
enum cuvec_dtype {
#define CUVEC_DTYPE(name, NAME, code, bits) CUVEC_##NAME = (code) * 256 + (bits),
  CUVEC_DTYPES(CUVEC_DTYPE)
#undef CUVEC_DTYPE
};

/* A member of a struct: a number, or an array of numbers. */
typedef struct cuvec_field {
  const char *name;
  int16_t dtype;
  uint32_t offset;                /* in bytes */
  uint32_t shape[CUVEC_MAX_RANK]; /* of an array; 0 behind the last axis */
} cuvec_field;

/* A struct, laid out as C does. */
typedef struct cuvec_struct {
  const char *name;
  uint32_t size, alignment; /* in bytes */
  int32_t n_fields;
  const cuvec_field *fields;
} cuvec_struct;

enum cuvec_role {
  CUVEC_SCALAR, /* a scalar */
  CUVEC_IN,     /* an array that is read */
  CUVEC_INOUT,  /* an array that is read and written */
  CUVEC_OUT,    /* an array that is written, without being read before */
  CUVEC_RESULT  /* as CUVEC_OUT, but allocated by the core unless `out` gives it */
};

/* Status of a call. All but CUVEC_OK are Python's exceptions. */
enum cuvec_status {
  CUVEC_OK,
  CUVEC_TYPE_ERROR,
  CUVEC_VALUE_ERROR,
  CUVEC_OVERFLOW_ERROR,
  CUVEC_MEMORY_ERROR,
  CUVEC_RUNTIME_ERROR,
  CUVEC_INTERRUPTED /* a signal's handler has raised: the exception is set already */
};

/* An argument, as a body receives it. */
typedef struct cuvec_value {
  void *data;           /* an array's elements, or where a scalar is; null for None */
  const int64_t *shape; /* of an array of more than leading dimensions, as many as it has */
  /* In elements, as many; null: contiguous, as the layout says. In a call with a walk in bytes, one
   * for each of its dimensions; null for scalars and None. */
  const int64_t *strides;
  int64_t size;   /* elements; in a call with a walk of the declared dimensions alone */
  int64_t *count; /* 0, for the body to write how much there is; null unless at_most */
} cuvec_value;

/* An argument or a result of a declared function that a body calls. */
typedef struct cuvec_operand {
  cuvec_value value;  /* an array as the body has it; where a scalar is, in memory of the host */
  int16_t dtype;      /* a cuvec_dtype; a scalar becomes the one that is declared */
  int8_t rank;        /* of an array; -1: a scalar */
  int8_t is_writable; /* an array that may be written */
} cuvec_operand;

/* A kernel of the library's image. */
typedef struct cuvec_parameter {
  uint32_t offset, size; /* in bytes, among the parameters of a launch */
} cuvec_parameter;

typedef struct cuvec_kernel {
  const char *name;            /* in the image */
  const char *function, *file; /* its own, for messages */
  int32_t index;               /* in the list, after the kernels of earlier libraries */
  int32_t n_parameters;
  const cuvec_parameter *parameters;
} cuvec_kernel;

typedef struct cuvec_launch {
  const cuvec_kernel *kernel;
  uint32_t blocks[3], threads[3];
  uint32_t shared; /* bytes of dynamic shared memory of a block */
  size_t bytes;    /* of the parameters */
  const void *parameters;
} cuvec_launch;

/* Problems that a thread of a kernel may notice, with `left` and `right` of the report of each. */
enum cuvec_problem {
  CUVEC_NO_ELEMENT = 1,  /* of index `left` among `right`; `text` is the file */
  CUVEC_LENGTHS = 2,     /* two that differ; `text` is the file */
  CUVEC_PANIC = 3,       /* of Rust's own */
  CUVEC_FAR = 4,         /* `left` away, further than `right`; `text` is the file */
  CUVEC_FAILED = 5,      /* `text` is what the kernel says */
  CUVEC_FAILED_WITH = 6, /* the same, of the number `left` */
  CUVEC_MESSAGE = 7      /* `text` is the file, and behind its `right` bytes what the kernel says */
};

/* The first problem that kernels of a GPU have met, in memory of the host, which that GPU writes.
 */
typedef struct cuvec_report {
  uint32_t state; /* 1 once everything else is written, until the core has read it */
  uint32_t problem;
  uint32_t line, length; /* of the file; of the text */
  uint64_t left, right;
  char text[224];
  const char *function; /* its name, in memory of the host; CUVEC_FAILED and CUVEC_FAILED_WITH */
} cuvec_report;

/* A line that a thread prints, in memory of the host. */
typedef struct cuvec_print {
  uint32_t state;     /* 0: nothing. 1: everything else is written */
  uint32_t length;    /* of the text, whose `{}` the values take the places of */
  char kinds[8];      /* of the values: i int64, u uint64, f float32, d float64, b bool */
  uint64_t values[8]; /* their bits */
  char text[176];
} cuvec_print;

enum { CUVEC_PRINTS = 256 };

/* Where a GPU's kernels find these, in memory of that GPU. */
typedef struct cuvec_report_slot {
  cuvec_report *report;
  uint32_t taken;      /* 0: by nobody. 1: by a thread that writes it. 2: it is written */
  uint32_t printed;    /* lines that kernels have printed since the core last printed them */
  cuvec_print *prints; /* CUVEC_PRINTS of them; what is more is only counted */
} cuvec_report_slot;

/* The way of an element-wise body through arrays that are not all contiguous and of one shape:
 * dimensions, none of them of one element, the innermost first. An array that is broadcast along
 * one has the stride 0 there. */
typedef struct cuvec_walk {
  int32_t rank;
  uint32_t packs; /* a bit for each argument that may be loaded `lanes` at a time */
  int64_t counts[CUVEC_MAX_RANK];
  /* A GPU's threads, fewer than 2^31. Neighbours are in a tile of 2^width by 2^height of them in
   * the first two dimensions, of which there are so many. Each has `lanes` elements of the first
   * dimension: consecutive ones if `is_packed`, which is 2 if all arrays have packs there,
   * otherwise as far apart as a tile is wide. */
  uint32_t threads, tiles[2];
  int8_t width, height, is_packed;
} cuvec_walk;

/* A call, as the core passes it to a body. A body changes only `error`, a constructor `object`. */
typedef struct cuvec_call {
  void *stream;              /* a cudaStream_t; null on the CPU */
  cuvec_report_slot *report; /* of this GPU; null on the CPU */
  int32_t gpu;               /* its number, as CUDA counts them; of no meaning on the CPU */
  /* Memory until the call is done, on the side that the body runs on; null if there is none. */
  void *(*scratch)(struct cuvec_call *call, size_t bytes);
  /* Runs task(context, 0) to task(context, tasks - 1) on the threads of the CPU. Tasks never
   * throw. Not zero when the call was interrupted; some tasks have not run then. */
  int (*parallel)(struct cuvec_call *call, int64_t tasks, void (*task)(void *context, int64_t i),
                  void *context);
  /* Not zero if the call is to end: Ctrl-C. Only on the thread of the call. */
  int (*interrupted)(struct cuvec_call *call);
  /* Launches a kernel of the image on the call's stream; a cuvec_status, with a message in
   * `error`. Bodies in CUDA C++ launch with `<<< >>>` instead. */
  int (*launch)(struct cuvec_call *call, const cuvec_launch *launch);
  char error[CUVEC_MAX_ERROR];
  /* The object of a method; a constructor puts there the one that it has made. */
  void *object;
  /* Memory on the side that the body runs on until `release(owner)`; null if there is none. */
  void *(*allocate)(struct cuvec_call *call, size_t bytes, void **owner);
  void (*release)(void *owner);
  /* Calls end(thing) once what is on the call's stream when it returns is done. */
  void (*keep)(struct cuvec_call *call, void *thing, void (*end)(void *thing));
  /* The body has set an array to zeros, to which its kernels add: the core has it where that is
   * fast. */
  void (*adds_to)(struct cuvec_call *call, const void *array);
  /* Runs a declared function as a part of this call: on its side, in the order of its stream,
   * without Python. `operands` are its arguments and then an array for each result. Null data
   * stands for None. A cuvec_status, with a message in `error`. Checks are as in a call from
   * Python, but arrays are as they are declared, with no loop and no copy. */
  int (*run)(struct cuvec_call *call, const char *function, const cuvec_operand *operands,
             int32_t n);
  const cuvec_walk *walk; /* null: all arrays are as they are declared */
} cuvec_call;

/* Runs the function; a cuvec_status, with a message in `call->error`. */
typedef int (*cuvec_body)(cuvec_call *call, const cuvec_value *values);

/* The function for one choice of dtypes. */
typedef struct cuvec_variant {
  cuvec_body cpu;
  cuvec_body gpu; /* null without CUDA */
  int32_t lanes;  /* elements that a thread of an element-wise body takes; 0: it takes no walk */
} cuvec_variant;

/* Bits of `cuvec_function.features`. */
enum cuvec_features {
  CUVEC_EACH = 1, /* its bodies are of elements: what is at an index depends on no other index */
  /* Not for CUDA graphs: its bodies wait for the GPU, or allocate memory there. */
  CUVEC_NO_GRAPH = 2
};

typedef struct cuvec_function {
  int32_t features;
  int32_t n_variants, n_structs;
  const char *name;
  const char *signature; /* as it was declared */
  const char *doc;
  const char *file;
  /* `dx, dw = f_bwd(dy, x, w)`: functions that calculate the gradients of arguments; null: none. */
  const char *derivative;
  /* Architectures that it is compiled for, if it declares its own: `90a, 100+`, or nothing, where
   * this build is for none of them. Null: as the other functions, or built without CUDA. */
  const char *architectures;
  /* One for each combination of dtypes, the last variable's changing fastest. */
  const cuvec_variant *variants;
  const cuvec_struct *const *structs;   /* those that the signature names */
  const struct cuvec_class *constructs; /* a constructor's class; null: it is a function */
} cuvec_function;

/* A class. Its methods are functions that get an object in `call->object`, and know by name what
 * integers and dimensions its constructor had. Their first variables are the constructor's, and
 * have the dtypes that it had. They are in no list of a library's functions. */
typedef struct cuvec_class {
  int32_t n_methods;
  const cuvec_function *methods; /* called `Class.method`, without a `file` */
  void (*destroy)(void *object); /* once no stream uses it any more */
} cuvec_class;

/* Functions that are written in one language, of which one image has all kernels. */
typedef struct cuvec_library {
  int32_t abi;
  int32_t driver; /* the lowest CUDA version of a driver that runs the code for GPUs; 0: none */
  int32_t n_functions, n_kernels;
  const cuvec_function *const *functions; /* sorted by name */
  /* Null, or an image for cuModuleLoadData, such as PTX, with the kernels that `launch` runs. */
  const char *image;
  const cuvec_kernel *kernels;
  /* More functions; null if there are none. */
  const struct cuvec_library *(*next)(void);
} cuvec_library;

/* The only symbol that `_functions` exports. */
const cuvec_library *cuvec_functions(void);

#ifdef __cplusplus
}
#endif
