"""dot(x, y, total): total is the result, a float64 on the GPU."""

import tvm_ffi.cpp

SOURCE = r"""
using tvm::ffi::TensorView;

template <class T> __global__ void dot_kernel(const T *x, const T *y, double *total, int64_t n) {
  __shared__ double shares[256];
  double share = 0;
  for (int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; i < n; i += gridDim.x * int64_t(blockDim.x))
    share += double(x[i]) * double(y[i]);
  shares[threadIdx.x] = share;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shares[threadIdx.x] += shares[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(total, shares[0]);
}

template <class T> void launch(TensorView x, TensorView y, TensorView total, cudaStream_t stream) {
  auto *sum = static_cast<double *>(total.data_ptr());
  cudaMemsetAsync(sum, 0, sizeof(double), stream);
  dot_kernel<<<1024, 256, 0, stream>>>(
      static_cast<const T *>(x.data_ptr()), static_cast<const T *>(y.data_ptr()), sum, x.numel());
}

void dot(TensorView x, TensorView y, TensorView total) {
  for (const auto &array : {x, y, total}) {
    TVM_FFI_CHECK(array.device().device_type == kDLCUDA, ValueError) << "x, y and total must be on the GPU";
    TVM_FFI_CHECK(array.IsContiguous(), ValueError) << "x, y and total must be contiguous";
  }
  TVM_FFI_CHECK(x.dtype() == y.dtype(), TypeError) << "x and y must have the same dtype";
  TVM_FFI_CHECK(x.numel() == y.numel(), ValueError) << "x and y must have the same size";
  TVM_FFI_CHECK((total.dtype() == DLDataType{kDLFloat, 64, 1}), TypeError) << "total must be float64";
  TVM_FFI_CHECK(total.numel() == 1, ValueError) << "total must be one number";
  const auto device = x.device();
  const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  if (x.dtype() == DLDataType{kDLFloat, 32, 1}) return launch<float>(x, y, total, stream);
  if (x.dtype() == DLDataType{kDLFloat, 64, 1}) return launch<double>(x, y, total, stream);
  TVM_FFI_THROW(TypeError) << "x must be float32 or float64";
}
"""

dot = tvm_ffi.cpp.load_inline("dot", cuda_sources=SOURCE, functions="dot").dot
