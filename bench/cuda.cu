// Baselines: speeds of plain CUDA C++ on this GPU, as a JSON list of records.

#include <cstdint>
#include <string>
#include <vector>

#include "clock.cuh"
#include "kernels.cuh"
#include "policies.cuh"

namespace {

constexpr std::size_t KIB = 1024;
constexpr std::size_t MIB = KIB * KIB;

void print(const std::string &work, std::size_t size, Times times) {
  static const char *separator = "[";
  std::printf("%s\n[\"CUDA C++\", \"%s\", %zu, %.9g, %.9g, %.9g]", separator, work.c_str(), size,
              times.median, times.low, times.high);
  separator = ",";
}

/// About as many calls as take 20 ms.
int repeats_for(std::size_t bytes) {
  return static_cast<int>(0.02 / (3e-6 + 3.0 * static_cast<double>(bytes) / 4e12));
}

void print_wait(int repeats, float *x, float *y, std::size_t n, cudaStream_t stream) {
  print("wait", n * sizeof(float), times(50, repeats, false, [&] {
          launch_axpy(1e-9F, x, y, n, stream);
          CHECK(cudaStreamSynchronize(stream));
        }));
}

void calls(cudaStream_t stream) {
  constexpr std::size_t SMALL = 1024; // elements
  float *x = nullptr;
  float *y = nullptr;
  CHECK(cudaMalloc(&x, SMALL * sizeof(float)));
  CHECK(cudaMalloc(&y, SMALL * sizeof(float)));
  const auto issue = [&] { launch_axpy(1, x, y, SMALL, stream); };
  times(50, 400, false, issue); // until all clocks are up
  print("issue", SMALL * sizeof(float), times(50, 400, false, issue));
  print_wait(100, x, y, SMALL, stream);
  CHECK(cudaGetLastError());
}

/// The operations on arrays that are on the GPU, over their size; `again` only with the largest.
void bandwidth(bool again, cudaStream_t stream) {
  constexpr std::size_t LARGEST = 1024 * MIB;
  float *x = nullptr;
  float *y = nullptr;
  double *sum = nullptr;
  double *result = nullptr;
  CHECK(cudaMalloc(&x, LARGEST));
  CHECK(cudaMalloc(&y, LARGEST));
  CHECK(cudaMalloc(&sum, sizeof(double)));
  CHECK(cudaMallocHost(&result, sizeof(double)));
  CHECK(cudaMemset(x, 0, LARGEST));
  CHECK(cudaMemset(y, 0, LARGEST));
  for (std::size_t size = again ? LARGEST : KIB; size <= LARGEST; size *= 4) {
    const std::size_t n = size / sizeof(float);
    const int repeats = repeats_for(size);
    print("copy", size, times(10, repeats, true, [&] {
            CHECK(cudaMemcpyAsync(y, x, size, cudaMemcpyDeviceToDevice, stream));
          }));
    print("axpy", size, times(10, repeats, true, [&] { launch_axpy(1e-9F, x, y, n, stream); }));
    print("dot", size, times(10, repeats, true, [&] {
            const auto blocks =
                static_cast<unsigned>(std::min<std::size_t>((n / 4 + BLOCK - 1) / BLOCK, 132 * 16));
            CHECK(cudaMemsetAsync(sum, 0, sizeof(double), stream));
            dot<<<blocks, BLOCK, 0, stream>>>(reinterpret_cast<float4 *>(x),
                                              reinterpret_cast<float4 *>(y), n, sum);
            CHECK(cudaMemcpyAsync(result, sum, sizeof(double), cudaMemcpyDeviceToHost, stream));
            CHECK(cudaStreamSynchronize(stream));
          }));
  }
  if (!again) {
    print_wait(20, x, y, 16 * MIB, stream);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(sum));
  CHECK(cudaFreeHost(result));
}

/// Bytes of an array, for taking turns: all, or those that goals are set for.
std::vector<std::size_t> sizes(bool again) {
  if (again) {
    return {4 * KIB, MIB, 64 * MIB};
  }
  std::vector<std::size_t> all;
  for (std::size_t size = 4 * KIB; size <= 256 * MIB; size *= 4) {
    all.push_back(size);
  }
  return all;
}

/// How many pairs of new arrays; one pair takes turns twice as often.
int repeats_for_turns(std::size_t size) {
  if (size <= MIB) {
    return 50;
  }
  return size < 64 * MIB ? 10 : 3;
}

/// The three ways of taking turns with the host, by one policy; `again` leaves out the third.
template <typename Policy> void turns(const std::string &policy, bool again, cudaStream_t stream) {
  constexpr int CALLS = 30;
  for (const std::size_t size : sizes(again)) {
    const std::size_t n = size / sizeof(float);
    const int repeats = repeats_for_turns(size);
    std::vector<double> once;
    std::vector<double> alternating;
    std::vector<double> row;
    for (int i = 0; i < repeats; ++i) {
      Policy fresh(n);
      fresh.stream = stream;
      once.push_back(cycle(fresh, 1));
    }
    Policy kept(n);
    kept.stream = stream;
    for (int i = 0; i < 2 * repeats; ++i) {
      alternating.push_back(cycle(kept, 1));
    }
    for (int i = 0; !again && i < repeats; ++i) {
      row.push_back(cycle(kept, CALLS) / CALLS);
    }
    print("once, " + policy, size, times_of(once));
    print("alternating, " + policy, size, times_of(alternating));
    if (!again) {
      print("consecutive, " + policy, size, times_of(row));
    }
  }
}

} // namespace

/// With an argument, only what measure.py has as `again`.
int main(int arguments, char ** /*values*/) {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const bool again = arguments > 1;
  bandwidth(again, stream);
  turns<Faults>("faults", again, stream);
  turns<Moved>("moved", again, stream);
  turns<Mapped>("mapped", again, stream);
  turns<Pinned>("pinned in place", again, stream);
  turns<PinnedCopies>("pinned copies", again, stream);
  calls(stream);
  std::printf("\n]\n");
}
