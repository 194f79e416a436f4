// XLA, which calls functions of the package while a program of JAX runs, on threads of its own.
//
// https://docs.jax.dev/en/latest/ffi.html; the structs are those of `xla/ffi/api/c_api.h` in
// jaxlib.
#pragma once

namespace host::xla {

/// A call of XLA's, as its `XLA_FFI_CallFrame`; the result is null or an `XLA_FFI_Error`.
using Handler = void *(*)(void *frame);

/// What is left to Python.
struct Python {
  Handler other;              ///< makes all other calls, and says what is wrong with arguments
  void (*forget_exception)(); ///< that of a signal's handler: XLA's error tells of it
};

/// What XLA is given for all functions, on the CPU or on GPUs. Which function a call is for, and
/// the numbers, are in its only attribute: see `python/cuvec/jax/call.py`.
Handler handler(bool on_gpu, Python python);

} // namespace host::xla
