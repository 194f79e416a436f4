"""top_k(x, values, indices): the k largest elements of each row, where k is the size of the results."""

import tvm_ffi.cpp

SOURCE = r"""
using tvm::ffi::TensorView;

template <class T> struct Ranked {
  T value;
  int64_t index;
  __device__ bool before(const Ranked &other) const {
    return value > other.value || (value == other.value && index < other.index);
  }
};

// A block for each row finds one element after the other.
template <class T> __global__ void top_k_row(const T *x, T *values, int64_t *indices, int64_t n, int64_t k) {
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
    if (t == 0) values[row * k + found] = last.value, indices[row * k + found] = last.index;
  }
}

template <class T> void launch(TensorView x, TensorView values, TensorView indices, cudaStream_t stream) {
  const int64_t n = x.size(x.ndim() - 1), k = values.size(x.ndim() - 1);
  if (indices.numel() == 0) return;
  top_k_row<<<indices.numel() / k, 256, 0, stream>>>(static_cast<const T *>(x.data_ptr()),
      static_cast<T *>(values.data_ptr()), static_cast<int64_t *>(indices.data_ptr()), n, k);
}

void top_k(TensorView x, TensorView values, TensorView indices) {
  for (const auto &array : {x, values, indices}) {
    TVM_FFI_CHECK(array.device().device_type == kDLCUDA, ValueError) << "all arrays must be on the GPU";
    TVM_FFI_CHECK(array.IsContiguous(), ValueError) << "all arrays must be contiguous";
    TVM_FFI_CHECK(array.ndim() == x.ndim() && x.ndim() > 0, ValueError) << "the shapes must be (...,n)->(...,k),(...,k)";
    for (int axis = 0; axis + 1 < x.ndim(); ++axis) {
      TVM_FFI_CHECK(array.size(axis) == x.size(axis), ValueError) << "the shapes must be (...,n)->(...,k),(...,k)";
    }
  }
  const int64_t n = x.size(x.ndim() - 1), k = values.size(x.ndim() - 1);
  TVM_FFI_CHECK(indices.size(x.ndim() - 1) == k && k <= n, ValueError) << "k must be one size, and at most n";
  TVM_FFI_CHECK(values.dtype() == x.dtype(), TypeError) << "values must have the dtype of x";
  TVM_FFI_CHECK((indices.dtype() == DLDataType{kDLInt, 64, 1}), TypeError) << "indices must be int64";
  const auto device = x.device();
  const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  if (x.dtype() == DLDataType{kDLFloat, 32, 1}) return launch<float>(x, values, indices, stream);
  if (x.dtype() == DLDataType{kDLFloat, 64, 1}) return launch<double>(x, values, indices, stream);
  TVM_FFI_THROW(TypeError) << "x must be float32 or float64";
}
"""

top_k = tvm_ffi.cpp.load_inline("top_k", cuda_sources=SOURCE, functions="top_k").top_k
