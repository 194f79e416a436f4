// Code written by hand for ctypes: everything in each call.

#include "kernels.cuh"

#define TRY(call)                                                                                  \
  if (const cudaError_t status = (call); status != cudaSuccess) {                                  \
    return status;                                                                                 \
  }

/// y += a x for arrays of the host of n elements, a multiple of 4; returns CUDA's error.
extern "C" int axpy(float a, const float *x, float *y, std::size_t n) {
  if (n == 0) {
    return 0;
  }
  const std::size_t bytes = n * sizeof(float);
  float *on_gpu_x = nullptr;
  float *on_gpu_y = nullptr;
  TRY(cudaMalloc(&on_gpu_x, bytes));
  TRY(cudaMalloc(&on_gpu_y, bytes));
  TRY(cudaMemcpy(on_gpu_x, x, bytes, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(on_gpu_y, y, bytes, cudaMemcpyHostToDevice));
  launch_axpy(a, on_gpu_x, on_gpu_y, n, nullptr);
  TRY(cudaMemcpy(y, on_gpu_y, bytes, cudaMemcpyDeviceToHost));
  TRY(cudaFree(on_gpu_x));
  TRY(cudaFree(on_gpu_y));
  return 0;
}
