"""blur(image, sigma, result)."""

import tvm_ffi.cpp

SOURCE = r"""
using tvm::ffi::TensorView;

template <class T>
__global__ void blur_pass(const T *image, int64_t height, int64_t width, int axis, double sigma, T *result) {
  const int64_t k = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (k >= height * width) return;
  const auto radius = int64_t(ceil(3 * sigma));
  T sum = 0, weights = 0;
  for (int64_t d = -radius; d <= radius; ++d) {
    const int64_t i = min(max(k / width + (axis == 0 ? d : 0), int64_t(0)), height - 1);
    const int64_t j = min(max(k % width + (axis == 1 ? d : 0), int64_t(0)), width - 1);
    const auto weight = T(exp(-0.5 * double(d * d) / (sigma * sigma)));
    sum += weight * image[i * width + j];
    weights += weight;
  }
  result[k] = sum / weights;
}

template <class T> void launch(TensorView image, double sigma, TensorView result, cudaStream_t stream) {
  const int64_t height = image.size(0), width = image.size(1), n = image.numel();
  T *rows;
  TVM_FFI_CHECK(cudaMallocAsync(&rows, n * sizeof(T), stream) == cudaSuccess, MemoryError) << "no memory on the GPU";
  blur_pass<T><<<(n + 255) / 256, 256, 0, stream>>>(
      static_cast<const T *>(image.data_ptr()), height, width, 1, sigma, rows);
  blur_pass<T><<<(n + 255) / 256, 256, 0, stream>>>(
      rows, height, width, 0, sigma, static_cast<T *>(result.data_ptr()));
  cudaFreeAsync(rows, stream);
}

void blur(TensorView image, double sigma, TensorView result) {
  for (const auto &array : {image, result}) {
    TVM_FFI_CHECK(array.device().device_type == kDLCUDA, ValueError) << "image and result must be on the GPU";
    TVM_FFI_CHECK(array.IsContiguous(), ValueError) << "image and result must be contiguous";
    TVM_FFI_CHECK(array.ndim() == 2, ValueError) << "image and result must have two dimensions";
    TVM_FFI_CHECK(array.size(0) == image.size(0), ValueError) << "image and result must have the same shape";
    TVM_FFI_CHECK(array.size(1) == image.size(1), ValueError) << "image and result must have the same shape";
  }
  TVM_FFI_CHECK(image.dtype() == result.dtype(), TypeError) << "image and result must have the same dtype";
  TVM_FFI_CHECK(sigma > 0 && sigma < 1e6, ValueError) << "sigma must be positive and below 1e6";
  const auto device = image.device();
  const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
  if (image.dtype() == DLDataType{kDLFloat, 32, 1}) return launch<float>(image, sigma, result, stream);
  if (image.dtype() == DLDataType{kDLFloat, 64, 1}) return launch<double>(image, sigma, result, stream);
  TVM_FFI_THROW(TypeError) << "image must be float32 or float64";
}
"""

blur = tvm_ffi.cpp.load_inline("blur", cuda_sources=SOURCE, functions="blur").blur
