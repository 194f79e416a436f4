// What plain CUDA C++ reaches on this GPU, as one JSON object: the yardstick of figures.py.

#include <cstddef>
#include <cstdio>

#include "../bench/clock.cuh"

__global__ void axpy(float a, const float *x, float *y, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] += a * x[i];
  }
}

int main() {
  constexpr std::size_t LARGE = std::size_t{256} << 20;
  constexpr std::size_t MIDDLE = std::size_t{16} << 20; // 64 MiB of float
  constexpr std::size_t SMALL = 1024;
  constexpr unsigned BLOCK = 256;
  float *x = nullptr;
  float *y = nullptr;
  CHECK(cudaMalloc(&x, LARGE * sizeof(float)));
  CHECK(cudaMalloc(&y, LARGE * sizeof(float)));
  CHECK(cudaMemset(x, 0, LARGE * sizeof(float)));
  CHECK(cudaMemset(y, 0, LARGE * sizeof(float)));
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  const auto launch = [&](std::size_t n) {
    axpy<<<static_cast<unsigned>((n + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(2.0F, x, y, n);
  };
  const double copy =
      times(20, 10, true, [&] {
        CHECK(cudaMemcpyAsync(y, x, LARGE * sizeof(float), cudaMemcpyDeviceToDevice, stream));
      }).median;
  const double scalar = times(20, 10, true, [&] { launch(LARGE); }).median;
  const double issue = times(50, 400, false, [&] { launch(SMALL); }).median;
  const auto waiting = [&](std::size_t n) {
    launch(n);
    CHECK(cudaStreamSynchronize(stream));
  };
  const double wait_small = times(50, 100, true, [&] { waiting(SMALL); }).median;
  const double wait_middle = times(50, 20, true, [&] { waiting(MIDDLE); }).median;
  CHECK(cudaGetLastError());

  std::printf("{\"copy_gbs\": %.1f, \"scalar_axpy_gbs\": %.1f, \"issue_us\": %.3f, "
              "\"wait_small_us\": %.3f, \"wait_64mib_us\": %.2f}\n",
              2 * LARGE * sizeof(float) / copy / 1e9, 3 * LARGE * sizeof(float) / scalar / 1e9,
              issue * 1e6, wait_small * 1e6, wait_middle * 1e6);
}
