#pragma once

#include <cstddef>

constexpr unsigned BLOCK = 256;

/// y += a x with accesses of 16 bytes; n is a multiple of 4.
__global__ void axpy(float a, const float4 *x, float4 *y, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    const float4 u = x[i];
    float4 v = y[i];
    v.x += a * u.x;
    v.y += a * u.y;
    v.z += a * u.z;
    v.w += a * u.w;
    y[i] = v;
  }
}

/// *result += the scalar product of x and y, with accesses of 16 bytes; n is a multiple of 4.
__global__ void dot(const float4 *x, const float4 *y, std::size_t n, double *result) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  double sum = 0;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n / 4;
       i += stride) {
    const float4 u = x[i];
    const float4 v = y[i];
    sum += static_cast<double>(u.x * v.x + u.y * v.y) + static_cast<double>(u.z * v.z + u.w * v.w);
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(result, sum);
  }
}

inline void launch_axpy(float a, const float *x, float *y, std::size_t n, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((n / 4 + BLOCK - 1) / BLOCK);
  axpy<<<blocks, BLOCK, 0, stream>>>(a, reinterpret_cast<const float4 *>(x),
                                     reinterpret_cast<float4 *>(y), n);
}
