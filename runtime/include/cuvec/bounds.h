// The indices of views: nothing is checked on the way, but in a build with DEBUG.
#pragma once

#include <cstdint>

#ifdef CUVEC_DEBUG
#include "failure.h"
#if defined(__CUDACC__)
#include "architectures.h"

#include <mutex>
#include <set>
#include <vector>

#include <cuda_runtime_api.h>
#endif
#endif

namespace cuvec {
using int64 = std::int64_t;
}

namespace cuvec::detail {

/// `/home/me/mypkg/kernels/f.cu` is told as `kernels/f.cu`.
__host__ __device__ inline const char *short_path(const char *file) {
  const char *folder = file, *name = file;
  for (const char *c = file; *c != 0; ++c) {
    if (*c == '/' || *c == '\\') {
      folder = name;
      name = c + 1;
    }
  }
  return folder;
}

#ifdef CUVEC_DEBUG
/// An index, and the place that it is used in.
struct Index {
  int64 value;
  const char *file;
  int line;

  // No template: of one, nvcc takes the place of its declaration.
  __host__ __device__ Index(int64 i, const char *in = __builtin_FILE(), int at = __builtin_LINE())
      : value(i), file(in), line(at) {}
  __host__ __device__ operator int64() const { return value; }
};

#ifdef __CUDACC__
/// Where the kernels of this source report to: a view does not know its call.
static __device__ cuvec_report_slot *debug_slot;

/// The variable of a source, and what that is compiled for, if not for all that the build is for.
struct DebugSlot {
  const void *variable;
  const char *compiled_for;
};
/// The variables of all sources.
inline std::vector<DebugSlot> &debug_slots() {
  static std::vector<DebugSlot> all;
  return all;
}
[[maybe_unused]] static const bool debug_slot_is_known =
#ifdef CUVEC_COMPILED_FOR
    (debug_slots().push_back({&debug_slot, CUVEC_COMPILED_FOR}), true);
#else
    (debug_slots().push_back({&debug_slot, nullptr}), true);
#endif

/// Sets them for the GPU of this call, once. The call may be captured, and this not be.
inline cudaError_t set_debug_slots(const cuvec_call *call) {
  static std::mutex mutex;
  static std::set<int> gpus;
  const std::lock_guard<std::mutex> lock(mutex);
  if (gpus.count(call->gpu) != 0) {
    return cudaSuccess;
  }
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  cudaStream_t stream = nullptr;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int major = 0, minor = 0;
  for (const cudaError_t asked :
       {cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, call->gpu),
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, call->gpu)}) {
    error = error == cudaSuccess ? asked : error;
  }
  for (const DebugSlot &slot : debug_slots()) {
    const char *compiled_for = slot.compiled_for;
    const bool has_code = compiled_for == nullptr || runs(compiled_for, major, minor);
    if (has_code && error == cudaSuccess) { // to ask for a variable that is not there is an error
      error = cudaMemcpyToSymbolAsync(slot.variable, &call->report, sizeof(call->report), 0,
                                      cudaMemcpyHostToDevice, stream);
    }
  }
  if (error == cudaSuccess) {
    error = cudaStreamSynchronize(stream);
  }
  if (error == cudaSuccess) {
    gpus.insert(call->gpu);
  }
  cudaStreamDestroy(stream);
  cudaThreadExchangeStreamCaptureMode(&mode);
  return error;
}
#endif

/// `i`, an index among `size`, which was used in that place.
__host__ __device__ inline int64 within(int64 i, int64 size, [[maybe_unused]] const Index &place) {
  if (i < 0 || i >= size) {
#ifdef __CUDA_ARCH__
    stop(debug_slot, CUVEC_NO_ELEMENT, short_path(place.file), i, size, place.line, nullptr);
#else
    throw std::out_of_range(std::string(short_path(place.file)) + ":" + std::to_string(place.line) +
                            ": there is no element " + std::to_string(i) + " in an array of " +
                            std::to_string(size));
#endif
  }
  return i;
}
#else
using Index = int64;
__host__ __device__ inline int64 within(int64 i, int64 /*size*/, Index /*place*/) { return i; }
#endif

} // namespace cuvec::detail
