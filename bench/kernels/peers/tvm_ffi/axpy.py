"""axpy(a, x, y)."""

import tvm_ffi.cpp

SOURCE = r"""
using tvm::ffi::TensorView;

template <class T> __global__ void axpy_kernel(T a, const T *x, T *y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

template <class T> void launch(double a, TensorView x, TensorView y, cudaStream_t stream) {
  const int64_t n = x.numel();
  axpy_kernel<<<(n + 255) / 256, 256, 0, stream>>>(
      T(a), static_cast<const T *>(x.data_ptr()), static_cast<T *>(y.data_ptr()), n);
}

void axpy(double a, TensorView x, TensorView y) {
  for (const auto &array : {x, y}) {
    TVM_FFI_CHECK(array.device().device_type == kDLCUDA, ValueError) << "x and y must be on the GPU";
    TVM_FFI_CHECK(array.IsContiguous(), ValueError) << "x and y must be contiguous";
  }
  TVM_FFI_CHECK(x.dtype() == y.dtype(), TypeError) << "x and y must have the same dtype";
  TVM_FFI_CHECK(x.numel() == y.numel(), ValueError) << "x and y must have the same size";
  const auto device = x.device();
  const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  if (x.dtype() == DLDataType{kDLFloat, 32, 1}) return launch<float>(a, x, y, stream);
  if (x.dtype() == DLDataType{kDLFloat, 64, 1}) return launch<double>(a, x, y, stream);
  TVM_FFI_THROW(TypeError) << "x must be float32 or float64";
}
"""

axpy = tvm_ffi.cpp.load_inline("axpy", cuda_sources=SOURCE, functions="axpy").axpy
