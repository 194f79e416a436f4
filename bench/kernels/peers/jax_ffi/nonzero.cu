#include <xla/ffi/api/ffi.h>

namespace ffi = xla::ffi;

template <class T> __global__ void nonzero_kernel(const T *x, int64_t n, int32_t *index, int32_t *count) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n && x[i] != T(0)) index[atomicAdd(count, 1)] = int32_t(i);
}

template <class T>
ffi::Error launch(
    cudaStream_t stream, ffi::AnyBuffer x, ffi::ResultBuffer<ffi::S32> index, ffi::ResultBuffer<ffi::S32> count) {
  const int64_t n = x.element_count();
  cudaMemsetAsync(count->untyped_data(), 0, count->size_bytes(), stream);
  if (n > 0) {
    nonzero_kernel<<<(n + 255) / 256, 256, 0, stream>>>(
        static_cast<const T *>(x.untyped_data()), n, index->typed_data(), count->typed_data());
  }
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? ffi::Error::Success() : ffi::Error::Internal(cudaGetErrorString(error));
}

ffi::Error nonzero(
    cudaStream_t stream, ffi::AnyBuffer x, ffi::ResultBuffer<ffi::S32> index, ffi::ResultBuffer<ffi::S32> count) {
  switch (x.element_type()) {
  case ffi::F32: return launch<float>(stream, x, index, count);
  case ffi::S32: return launch<int32_t>(stream, x, index, count);
  default: return ffi::Error::InvalidArgument("x must be float32 or int32");
  }
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(Nonzero, nonzero,
    ffi::Ffi::Bind()
        .Ctx<ffi::PlatformStream<cudaStream_t>>()
        .Arg<ffi::AnyBuffer>()
        .Ret<ffi::Buffer<ffi::S32>>()
        .Ret<ffi::Buffer<ffi::S32>>(),
    {ffi::Traits::kCmdBufferCompatible});
