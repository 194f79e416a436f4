"""nonzero(x, index) -> count: so many elements of `index`, which is as long as `x`, in no particular order."""

import tvm_ffi.cpp

SOURCE = r"""
using tvm::ffi::TensorView;
using Count = unsigned long long;

template <class T> __global__ void nonzero_kernel(const T *x, int64_t n, int64_t *index, Count *count) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n && x[i] != T(0)) index[atomicAdd(count, Count(1))] = i;
}

template <class T> int64_t launch(TensorView x, TensorView index, cudaStream_t stream) {
  const int64_t n = x.numel();
  if (n == 0) return 0;
  Count *count, found = 0;
  TVM_FFI_CHECK(cudaMallocAsync(&count, sizeof *count, stream) == cudaSuccess, MemoryError) << "no memory on the GPU";
  cudaMemsetAsync(count, 0, sizeof *count, stream);
  nonzero_kernel<<<(n + 255) / 256, 256, 0, stream>>>(
      static_cast<const T *>(x.data_ptr()), n, static_cast<int64_t *>(index.data_ptr()), count);
  cudaMemcpyAsync(&found, count, sizeof found, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(count, stream);
  TVM_FFI_CHECK(cudaStreamSynchronize(stream) == cudaSuccess, RuntimeError) << "the kernel failed";
  return int64_t(found);
}

int64_t nonzero(TensorView x, TensorView index) {
  for (const auto &array : {x, index}) {
    TVM_FFI_CHECK(array.device().device_type == kDLCUDA, ValueError) << "x and index must be on the GPU";
    TVM_FFI_CHECK(array.ndim() == 1 && array.IsContiguous(), ValueError) << "x and index must be (n), contiguous";
    TVM_FFI_CHECK(array.numel() == x.numel(), ValueError) << "x and index must have the same size";
  }
  TVM_FFI_CHECK((index.dtype() == DLDataType{kDLInt, 64, 1}), TypeError) << "index must be int64";
  const auto device = x.device();
  const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  if (x.dtype() == DLDataType{kDLFloat, 32, 1}) return launch<float>(x, index, stream);
  TVM_FFI_CHECK((x.dtype() == DLDataType{kDLInt, 32, 1}), TypeError) << "x must be float32 or int32";
  return launch<int32_t>(x, index, stream);
}
"""

nonzero = tvm_ffi.cpp.load_inline("nonzero", cuda_sources=SOURCE, functions="nonzero").nonzero
