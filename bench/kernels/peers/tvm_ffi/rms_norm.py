"""rms_norm(x, weight, eps, y, rstd) and rms_norm_bwd(dy, x, weight, rstd, dx, dweight); dweight is float32."""

import tvm_ffi.cpp

SOURCE = r"""
#include <cuda_bf16.h>
using tvm::ffi::TensorView;

__device__ inline float warp_sum(float value) {
  for (int k = 16; k > 0; k /= 2) value += __shfl_xor_sync(~0U, value, k);
  return value;
}

// One warp for each row of `x`.
template <class T>
__global__ void norm_rows(const T *x, const T *weight, float eps, T *y, float *rstd, int64_t rows, int64_t n) {
  const int64_t row = (blockIdx.x * int64_t(blockDim.x) + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  x += row * n, y += row * n;
  float squares = 0;
  for (int64_t i = lane; i < n; i += 32) squares += float(x[i]) * float(x[i]);
  const float scale = rsqrtf(warp_sum(squares) / float(n) + eps);
  for (int64_t i = lane; i < n; i += 32) y[i] = T(float(x[i]) * scale * float(weight[i]));
  if (lane == 0) rstd[row] = scale;
}

template <class T>
__global__ void norm_rows_bwd(const T *dy, const T *x, const T *weight, const float *rstd, T *dx, float *dweight,
    int64_t rows, int64_t n) {
  const int64_t row = (blockIdx.x * int64_t(blockDim.x) + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  dy += row * n, x += row * n, dx += row * n;
  float products = 0;
  for (int64_t i = lane; i < n; i += 32) products += float(dy[i]) * float(weight[i]) * float(x[i]);
  const float scale = rstd[row], common = warp_sum(products) * scale * scale / float(n);
  for (int64_t i = lane; i < n; i += 32) {
    dx[i] = T(scale * (float(dy[i]) * float(weight[i]) - common * float(x[i])));
    atomicAdd(&dweight[i], float(dy[i]) * float(x[i]) * scale);
  }
}

void check(TensorView x, TensorView weight, TensorView rstd, std::initializer_list<TensorView> others) {
  for (const auto &array : others) {
    TVM_FFI_CHECK(array.dtype() == x.dtype(), TypeError) << "all arrays but rstd must have the dtype of x";
    TVM_FFI_CHECK(array.numel() == x.numel(), ValueError) << "y, dy and dx must have the shape of x";
    TVM_FFI_CHECK(array.device().device_type == kDLCUDA && array.IsContiguous(), ValueError)
        << "all arrays must be contiguous and on the GPU";
  }
  TVM_FFI_CHECK(weight.dtype() == x.dtype(), TypeError) << "weight must have the dtype of x";
  TVM_FFI_CHECK(weight.ndim() == 1 && x.ndim() >= 1 && x.size(x.ndim() - 1) == weight.size(0), ValueError)
      << "the shapes must be (...,n),(n)->(...,n),(...)";
  TVM_FFI_CHECK(rstd.numel() * weight.size(0) == x.numel(), ValueError) << "rstd must have an element for each row";
  for (const auto &array : {weight, rstd}) {
    TVM_FFI_CHECK(array.device().device_type == kDLCUDA && array.IsContiguous(), ValueError)
        << "all arrays must be contiguous and on the GPU";
  }
  TVM_FFI_CHECK((rstd.dtype() == DLDataType{kDLFloat, 32, 1}), TypeError) << "rstd must be float32";
}

cudaStream_t stream_of(TensorView x) {
  return static_cast<cudaStream_t>(TVMFFIEnvGetStream(x.device().device_type, x.device().device_id));
}

template <class T> void launch(TensorView x, TensorView weight, double eps, TensorView y, TensorView rstd) {
  norm_rows<<<(rstd.numel() + 7) / 8, 256, 0, stream_of(x)>>>(static_cast<const T *>(x.data_ptr()),
      static_cast<const T *>(weight.data_ptr()), float(eps), static_cast<T *>(y.data_ptr()),
      static_cast<float *>(rstd.data_ptr()), rstd.numel(), weight.size(0));
}

void rms_norm(TensorView x, TensorView weight, double eps, TensorView y, TensorView rstd) {
  check(x, weight, rstd, {x, y});
  if (x.dtype() == DLDataType{kDLFloat, 32, 1}) return launch<float>(x, weight, eps, y, rstd);
  if (x.dtype() == DLDataType{kDLBfloat, 16, 1}) return launch<__nv_bfloat16>(x, weight, eps, y, rstd);
  TVM_FFI_THROW(TypeError) << "x must be float32 or bfloat16";
}

template <class T>
void launch_bwd(TensorView dy, TensorView x, TensorView weight, TensorView rstd, TensorView dx, TensorView dweight) {
  auto *sums = static_cast<float *>(dweight.data_ptr());
  cudaMemsetAsync(sums, 0, dweight.numel() * sizeof(float), stream_of(x));
  norm_rows_bwd<<<(rstd.numel() + 7) / 8, 256, 0, stream_of(x)>>>(static_cast<const T *>(dy.data_ptr()),
      static_cast<const T *>(x.data_ptr()), static_cast<const T *>(weight.data_ptr()),
      static_cast<const float *>(rstd.data_ptr()), static_cast<T *>(dx.data_ptr()), sums, rstd.numel(),
      weight.size(0));
}

void rms_norm_bwd(TensorView dy, TensorView x, TensorView weight, TensorView rstd, TensorView dx, TensorView dweight) {
  check(x, weight, rstd, {x, dy, dx});
  TVM_FFI_CHECK((dweight.dtype() == DLDataType{kDLFloat, 32, 1}), TypeError) << "dweight must be float32";
  TVM_FFI_CHECK(dweight.numel() == weight.numel() && dweight.IsContiguous(), ValueError)
      << "dweight must have the shape of weight";
  TVM_FFI_CHECK(dweight.device().device_type == kDLCUDA, ValueError) << "dweight must be on the GPU";
  if (x.dtype() == DLDataType{kDLFloat, 32, 1}) return launch_bwd<float>(dy, x, weight, rstd, dx, dweight);
  if (x.dtype() == DLDataType{kDLBfloat, 16, 1}) return launch_bwd<__nv_bfloat16>(dy, x, weight, rstd, dx, dweight);
  TVM_FFI_THROW(TypeError) << "x must be float32 or bfloat16";
}
"""

_module = tvm_ffi.cpp.load_inline("rms_norm", cuda_sources=SOURCE, functions=["rms_norm", "rms_norm_bwd"])
rms_norm, rms_norm_bwd = _module.rms_norm, _module.rms_norm_bwd
