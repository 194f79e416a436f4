#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline int64 histogram_bin(float x, int64 bins, float low, float high) {
  const float at = (x - low) / (high - low) * float(bins);
  return at >= 0 && at < float(bins) ? int64(at) : -1;
}

__global__ void histogram_blocks(In<float> x, float low, float high, Out<int64> counts) {
  auto *mine = shared_memory<int>();
  const int64 bins = counts.size();
  for (int64 b = threadIdx.x; b < bins; b += blockDim.x) {
    mine[b] = 0;
  }
  __syncthreads();
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    const int64 b = histogram_bin(x[i], bins, low, high);
    if (b >= 0) {
      atomic_add(mine[b], 1);
    }
  }
  __syncthreads();
  for (int64 b = threadIdx.x; b < bins; b += blockDim.x) {
    atomic_add(counts[b], int64(mine[b]));
  }
}

struct histogram {
  static constexpr auto signature =
      "histogram(x: float32(...), bins: int16 = 4, *, low: float32 = -0.5, "
      "high: float32 = 1.5e0) -> counts: int64(bins)";
  static constexpr auto doc =
      "How many elements are in each of `bins` equal parts from `low` to `high`.";

  static void gpu(Call &call, In<float> x, int16_t /*bins*/, float low, float high,
                  Out<int64> counts) {
    call.zero(counts);
    Grid grid = threads_for(x.size(), 256, 1024);
    grid.shared = std::size_t(counts.size()) * sizeof(int);
    call.launch<histogram_blocks>(grid, x, low, high, counts);
  }
  static void cpu(Call &call, In<float> x, int16_t bins, float low, float high, Out<int64> counts) {
    call.zero(counts);
    for (int64 i = 0; i < x.size(); ++i) {
      const int64 b = histogram_bin(x[i], bins, low, high);
      if (b >= 0) {
        ++counts[b];
      }
    }
  }
};
CUVEC_EXPORT(histogram);
