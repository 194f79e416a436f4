"""scale(a, x)."""

import tvm_ffi.cpp

SOURCE = r"""
using tvm::ffi::TensorView;

template <class T> __global__ void scale_kernel(T a, T *x, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n) x[i] *= a;
}

template <class T> void launch(double a, TensorView x, cudaStream_t stream) {
  const int64_t n = x.numel();
  scale_kernel<<<(n + 255) / 256, 256, 0, stream>>>(T(a), static_cast<T *>(x.data_ptr()), n);
}

void scale(double a, TensorView x) {
  TVM_FFI_CHECK(x.device().device_type == kDLCUDA, ValueError) << "x must be on the GPU";
  TVM_FFI_CHECK(x.IsContiguous(), ValueError) << "x must be contiguous";
  const auto device = x.device();
  const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  if (x.dtype() == DLDataType{kDLFloat, 32, 1}) return launch<float>(a, x, stream);
  if (x.dtype() == DLDataType{kDLFloat, 64, 1}) return launch<double>(a, x, stream);
  TVM_FFI_THROW(TypeError) << "x must be float32 or float64";
}
"""

scale = tvm_ffi.cpp.load_inline("scale", cuda_sources=SOURCE, functions="scale").scale
