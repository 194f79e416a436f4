#include <cuda_bf16.h>
#include <xla/ffi/api/ffi.h>

namespace ffi = xla::ffi;
using Table = ffi::Buffer<ffi::F32, 2>;

template <class T>
__global__ void rotate_pairs(
    T *x, const float *cosine, const float *sine, int64_t pairs, int64_t s, int64_t h, int64_t d) {
  const int64_t at = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (at >= pairs) return;
  const int64_t i = at % d, place = at / d / h % s;
  T *first = x + at / d * 2 * d + i, *second = first + d;
  const float a = float(*first), b = float(*second), c = cosine[place * d + i], e = sine[place * d + i];
  *first = T(a * c - b * e);
  *second = T(a * e + b * c);
}

template <class T>
ffi::Error launch(cudaStream_t stream, ffi::AnyBuffer x, Table cosine, Table sine, ffi::AnyBuffer y) {
  const auto shape = x.dimensions();
  const int64_t pairs = x.element_count() / 2;
  if (y.untyped_data() != x.untyped_data()) {
    cudaMemcpyAsync(y.untyped_data(), x.untyped_data(), x.size_bytes(), cudaMemcpyDeviceToDevice, stream);
  }
  if (pairs > 0) {
    rotate_pairs<<<(pairs + 255) / 256, 256, 0, stream>>>(static_cast<T *>(y.untyped_data()), cosine.typed_data(),
        sine.typed_data(), pairs, shape[1], shape[2], shape[3] / 2);
  }
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? ffi::Error::Success() : ffi::Error::Internal(cudaGetErrorString(error));
}

ffi::Error rotary(cudaStream_t stream, ffi::AnyBuffer x, Table cosine, Table sine, ffi::Result<ffi::AnyBuffer> y) {
  const auto shape = x.dimensions();
  for (const auto &table : {cosine, sine}) {
    const auto tables = table.dimensions();
    if (shape.size() != 4 || tables[0] != shape[1] || 2 * tables[1] != shape[3]) {
      return ffi::Error::InvalidArgument("the shapes must be (b,s,h,2*d),(s,d),(s,d)");
    }
  }
  switch (x.element_type()) {
  case ffi::F32: return launch<float>(stream, x, cosine, sine, *y);
  case ffi::BF16: return launch<__nv_bfloat16>(stream, x, cosine, sine, *y);
  default: return ffi::Error::InvalidArgument("x must be float32 or bfloat16");
  }
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(Rotary, rotary,
    ffi::Ffi::Bind()
        .Ctx<ffi::PlatformStream<cudaStream_t>>()
        .Arg<ffi::AnyBuffer>()
        .Arg<Table>()
        .Arg<Table>()
        .Ret<ffi::AnyBuffer>(),
    {ffi::Traits::kCmdBufferCompatible});
