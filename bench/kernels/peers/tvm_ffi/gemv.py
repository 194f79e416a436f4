"""gemv(a, x, y): y is the result."""

import tvm_ffi.cpp

SOURCE = r"""
using tvm::ffi::TensorView;

// One warp for each row of `a`.
template <class T> __global__ void gemv_kernel(const T *a, const T *x, T *y, int64_t m, int64_t n) {
  const int64_t row = (blockIdx.x * int64_t(blockDim.x) + threadIdx.x) / 32;
  if (row >= m) return;
  T sum = 0;
  for (int64_t j = threadIdx.x % 32; j < n; j += 32) sum += a[row * n + j] * x[j];
  for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0U, sum, k);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}

template <class T> void launch(TensorView a, TensorView x, TensorView y, cudaStream_t stream) {
  const int64_t m = a.size(0), n = a.size(1);
  gemv_kernel<<<(m + 7) / 8, 256, 0, stream>>>(static_cast<const T *>(a.data_ptr()),
      static_cast<const T *>(x.data_ptr()), static_cast<T *>(y.data_ptr()), m, n);
}

void gemv(TensorView a, TensorView x, TensorView y) {
  for (const auto &array : {a, x, y}) {
    TVM_FFI_CHECK(array.device().device_type == kDLCUDA, ValueError) << "a, x and y must be on the GPU";
    TVM_FFI_CHECK(array.IsContiguous(), ValueError) << "a, x and y must be contiguous";
    TVM_FFI_CHECK(array.dtype() == a.dtype(), TypeError) << "a, x and y must have the same dtype";
  }
  TVM_FFI_CHECK(a.ndim() == 2 && x.ndim() == 1 && y.ndim() == 1, ValueError) << "the shapes must be (m,n),(n)->(m)";
  TVM_FFI_CHECK(x.size(0) == a.size(1) && y.size(0) == a.size(0), ValueError) << "the shapes must be (m,n),(n)->(m)";
  const auto device = a.device();
  const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  if (a.dtype() == DLDataType{kDLFloat, 32, 1}) return launch<float>(a, x, y, stream);
  if (a.dtype() == DLDataType{kDLFloat, 64, 1}) return launch<double>(a, x, y, stream);
  TVM_FFI_THROW(TypeError) << "a must be float32 or float64";
}
"""

gemv = tvm_ffi.cpp.load_inline("gemv", cuda_sources=SOURCE, functions="gemv").gemv
