#include <cstddef>

__global__ void convolve_pixels(const float *image, int rows, int columns, const float *weights,
                                int height, int width, float *result) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows || j >= columns) {
    return;
  }
  float sum = 0;
  for (int r = 0; r < height; ++r) {
    for (int c = 0; c < width; ++c) {
      const int y = i + height / 2 - r, x = j + width / 2 - c;
      if (y >= 0 && y < rows && x >= 0 && x < columns) {
        sum += weights[r * width + c] * image[std::size_t(y) * columns + x];
      }
    }
  }
  result[std::size_t(i) * columns + j] = sum;
}

#define TRY(call)                                                                                  \
  if (const cudaError_t error = (call); error != cudaSuccess) {                                    \
    return error;                                                                                  \
  }

extern "C" int convolve(const float *image, int rows, int columns, const float *weights, int height,
                        int width, float *result) {
  const std::size_t bytes = sizeof(float) * rows * columns;
  const std::size_t weight_bytes = sizeof(float) * height * width;
  float *gpu_image, *gpu_weights, *gpu_result;
  TRY(cudaMalloc(&gpu_image, bytes));
  TRY(cudaMalloc(&gpu_weights, weight_bytes));
  TRY(cudaMalloc(&gpu_result, bytes));
  TRY(cudaMemcpy(gpu_image, image, bytes, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(gpu_weights, weights, weight_bytes, cudaMemcpyHostToDevice));
  const dim3 threads(32, 8), blocks((columns + 31) / 32, (rows + 7) / 8);
  convolve_pixels<<<blocks, threads>>>(gpu_image, rows, columns, gpu_weights, height, width,
                                       gpu_result);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(result, gpu_result, bytes, cudaMemcpyDeviceToHost));
  TRY(cudaFree(gpu_image));
  TRY(cudaFree(gpu_weights));
  TRY(cudaFree(gpu_result));
  return cudaSuccess;
}
