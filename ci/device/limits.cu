// What plain CUDA C++ reaches on this GPU, as one JSON object: the yardstick of figures.py.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t status = (call);                                                             \
    if (status != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                         \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

__global__ void axpy(float a, const float *x, float *y, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] += a * x[i];
  }
}

using Clock = std::chrono::steady_clock;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Seconds of one `work()`, the median of several batches that each end with a wait.
template <typename Work> double seconds(int batches, int repeats, Work work) {
  std::vector<double> times;
  work();
  CHECK(cudaDeviceSynchronize());
  for (int batch = 0; batch < batches; ++batch) {
    const auto start = Clock::now();
    for (int i = 0; i < repeats; ++i) {
      work();
    }
    CHECK(cudaDeviceSynchronize());
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count() / repeats);
  }
  return median(times);
}

/// Seconds to issue one `work()`; the wait for the GPU is not counted.
template <typename Work> double seconds_to_issue(int batches, int repeats, Work work) {
  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    const auto start = Clock::now();
    for (int i = 0; i < repeats; ++i) {
      work();
    }
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count() / repeats);
    CHECK(cudaDeviceSynchronize());
  }
  return median(times);
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
  const double copy = seconds(20, 10, [&] {
    CHECK(cudaMemcpyAsync(y, x, LARGE * sizeof(float), cudaMemcpyDeviceToDevice, stream));
  });
  const double scalar = seconds(20, 10, [&] { launch(LARGE); });
  const double issue = seconds_to_issue(50, 400, [&] { launch(SMALL); });
  const auto waiting = [&](std::size_t n) {
    launch(n);
    CHECK(cudaStreamSynchronize(stream));
  };
  const double wait_small = seconds(50, 100, [&] { waiting(SMALL); });
  const double wait_middle = seconds(50, 20, [&] { waiting(MIDDLE); });
  CHECK(cudaGetLastError());

  std::printf("{\"copy_gbs\": %.1f, \"scalar_axpy_gbs\": %.1f, \"issue_us\": %.3f, "
              "\"wait_small_us\": %.3f, \"wait_64mib_us\": %.2f}\n",
              2 * LARGE * sizeof(float) / copy / 1e9, 3 * LARGE * sizeof(float) / scalar / 1e9,
              issue * 1e6, wait_small * 1e6, wait_middle * 1e6);
}
