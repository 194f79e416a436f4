#include <xla/ffi/api/ffi.h>

namespace ffi = xla::ffi;

template <class T> struct Ranked {
  T value;
  int64_t index;
  __device__ bool before(const Ranked &other) const {
    return value > other.value || (value == other.value && index < other.index);
  }
};

// A block for each row finds one element after the other.
template <class T> __global__ void top_k_row(const T *x, T *values, int32_t *indices, int64_t n, int64_t k) {
  __shared__ Ranked<T> firsts[256];
  const int64_t row = blockIdx.x;
  const int t = threadIdx.x;
  Ranked<T> last{};
  for (int64_t found = 0; found < k; ++found) {
    Ranked<T> first{T(-INFINITY), n};
    for (int64_t i = t; i < n; i += 256) {
      const Ranked<T> here{x[row * n + i], i};
      if ((found == 0 || last.before(here)) && here.before(first)) first = here;
    }
    firsts[t] = first;
    for (int half = 128; half > 0; half /= 2) {
      __syncthreads();
      if (t < half && firsts[t + half].before(firsts[t])) firsts[t] = firsts[t + half];
    }
    __syncthreads();
    last = firsts[0];
    __syncthreads();
    if (t == 0) values[row * k + found] = last.value, indices[row * k + found] = int32_t(last.index);
  }
}

template <class T>
ffi::Error launch(cudaStream_t stream, ffi::AnyBuffer x, ffi::AnyBuffer values, ffi::ResultBuffer<ffi::S32> indices) {
  const int64_t n = x.dimensions().back(), k = values.dimensions().back();
  if (values.element_count() == 0) return ffi::Error::Success();
  top_k_row<<<values.element_count() / k, 256, 0, stream>>>(
      static_cast<const T *>(x.untyped_data()), static_cast<T *>(values.untyped_data()), indices->typed_data(), n, k);
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? ffi::Error::Success() : ffi::Error::Internal(cudaGetErrorString(error));
}

ffi::Error top_k(
    cudaStream_t stream, ffi::AnyBuffer x, ffi::Result<ffi::AnyBuffer> values, ffi::ResultBuffer<ffi::S32> indices) {
  switch (x.element_type()) {
  case ffi::F32: return launch<float>(stream, x, *values, indices);
  case ffi::F64: return launch<double>(stream, x, *values, indices);
  default: return ffi::Error::InvalidArgument("x must be float32 or float64");
  }
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(TopK, top_k,
    ffi::Ffi::Bind()
        .Ctx<ffi::PlatformStream<cudaStream_t>>()
        .Arg<ffi::AnyBuffer>()
        .Ret<ffi::AnyBuffer>()
        .Ret<ffi::Buffer<ffi::S32>>(),
    {ffi::Traits::kCmdBufferCompatible});
