"""histogram(x, low, high, counts): counts is the result, with as many elements as there are bins."""

import tvm_ffi.cpp

SOURCE = r"""
using tvm::ffi::TensorView;

__global__ void count(const float *x, int64_t n, float low, float high, int64_t bins, unsigned long long *counts) {
  extern __shared__ unsigned mine[];
  for (int64_t b = threadIdx.x; b < bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; i < n; i += gridDim.x * int64_t(blockDim.x)) {
    if (!(x[i] >= low && x[i] <= high)) continue;
    const auto b = int64_t((x[i] - low) / (high - low) * float(bins));
    atomicAdd(&mine[b < bins ? b : bins - 1], 1U);
  }
  __syncthreads();
  for (int64_t b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&counts[b], mine[b]);
}

void histogram(TensorView x, double low, double high, TensorView counts) {
  for (const auto &array : {x, counts}) {
    TVM_FFI_CHECK(array.device().device_type == kDLCUDA, ValueError) << "x and counts must be on the GPU";
    TVM_FFI_CHECK(array.IsContiguous(), ValueError) << "x and counts must be contiguous";
  }
  TVM_FFI_CHECK((x.dtype() == DLDataType{kDLFloat, 32, 1}), TypeError) << "x must be float32";
  TVM_FFI_CHECK((counts.dtype() == DLDataType{kDLInt, 64, 1}), TypeError) << "counts must be int64";
  const int64_t bins = counts.numel();
  TVM_FFI_CHECK(bins <= 12288, ValueError) << "bins can be at most 12288";
  const auto device = x.device();
  const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  auto *result = static_cast<unsigned long long *>(counts.data_ptr());
  cudaMemsetAsync(result, 0, bins * sizeof(int64_t), stream);
  count<<<1024, 256, bins * sizeof(unsigned), stream>>>(
      static_cast<const float *>(x.data_ptr()), x.numel(), low, high, bins, result);
}
"""

histogram = tvm_ffi.cpp.load_inline("histogram", cuda_sources=SOURCE, functions="histogram").histogram
