"""rotary(x, cosine, sine), in place."""

import tvm_ffi.cpp

SOURCE = r"""
#include <cuda_bf16.h>
using tvm::ffi::TensorView;

struct Strides {
  int64_t sequence, place, head, element;
};

template <class T>
__global__ void rotate_pairs(T *x, Strides strides, const float *cosine, const float *sine, int64_t pairs, int64_t s,
    int64_t h, int64_t d) {
  const int64_t at = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (at >= pairs) return;
  const int64_t i = at % d, head = at / d % h, place = at / d / h % s, sequence = at / d / h / s;
  T *first = x + sequence * strides.sequence + place * strides.place + head * strides.head + i * strides.element;
  T *second = first + d * strides.element;
  const float a = float(*first), b = float(*second), c = cosine[place * d + i], e = sine[place * d + i];
  *first = T(a * c - b * e);
  *second = T(a * e + b * c);
}

template <class T> void launch(TensorView x, TensorView cosine, TensorView sine, cudaStream_t stream) {
  const int64_t pairs = x.numel() / 2;
  if (pairs == 0) return;
  const Strides strides{x.stride(0), x.stride(1), x.stride(2), x.stride(3)};
  rotate_pairs<<<(pairs + 255) / 256, 256, 0, stream>>>(static_cast<T *>(x.data_ptr()), strides,
      static_cast<const float *>(cosine.data_ptr()), static_cast<const float *>(sine.data_ptr()), pairs, x.size(1),
      x.size(2), cosine.size(1));
}

void rotary(TensorView x, TensorView cosine, TensorView sine) {
  TVM_FFI_CHECK(x.ndim() == 4 && x.device().device_type == kDLCUDA, ValueError) << "x must be (b,s,h,2*d), on the GPU";
  for (const auto &table : {cosine, sine}) {
    TVM_FFI_CHECK(table.device().device_type == kDLCUDA, ValueError) << "cosine and sine must be on the GPU";
    TVM_FFI_CHECK(table.IsContiguous(), ValueError) << "cosine and sine must be contiguous";
    TVM_FFI_CHECK((table.dtype() == DLDataType{kDLFloat, 32, 1}), TypeError) << "cosine and sine must be float32";
    TVM_FFI_CHECK(table.ndim() == 2 && table.size(0) == x.size(1) && 2 * table.size(1) == x.size(3), ValueError)
        << "cosine and sine must be (s,d) for x of (b,s,h,2*d)";
  }
  const auto device = x.device();
  const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  if (x.dtype() == DLDataType{kDLFloat, 32, 1}) return launch<float>(x, cosine, sine, stream);
  if (x.dtype() == DLDataType{kDLBfloat, 16, 1}) return launch<__nv_bfloat16>(x, cosine, sine, stream);
  TVM_FFI_THROW(TypeError) << "x must be float32 or bfloat16";
}
"""

rotary = tvm_ffi.cpp.load_inline("rotary", cuda_sources=SOURCE, functions="rotary").rotary
