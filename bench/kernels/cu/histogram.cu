#include <cuvec.h>

using namespace cuvec;

// The bin of `x`, or -1 where it is outside; the last bin includes `high`, as NumPy's does.
__host__ __device__ inline int64 bin_of(float x, int64 bins, float low, float high) {
  const float at = x >= low && x <= high ? (x - low) / (high - low) * float(bins) : -1;
  return at < float(bins) ? int64(at) : bins - 1;
}

// Each block counts in its shared memory, then adds what it counted.
__global__ void histogram_count(In<float> x, float low, float high, Out<int64> counts) {
  auto *mine = shared_memory<unsigned>();
  for_block(counts.size(), [&](int64 b) { mine[b] = 0; });
  __syncthreads();
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    if (const int64 b = bin_of(x[i], counts.size(), low, high); b >= 0) {
      atomicAdd(&mine[b], 1U);
    }
  }
  __syncthreads();
  for_block(counts.size(), [&](int64 b) { atomic_add(counts[b], int64(mine[b])); });
}

struct histogram {
  static constexpr auto signature =
      "histogram(x: float32(n), bins: int64 = 64, *, low: float32 = 0, "
      "high: float32 = 1) -> counts: int64(bins)";
  static constexpr auto doc = "Count the elements of `x` in `bins` equal parts of `low` to `high`.";

  static void gpu(Call &call, In<float> x, int64 bins, float low, float high, Out<int64> counts) {
    call.zero(counts);
    call.launch<histogram_count>(Grid(1024, 256, bins * sizeof(unsigned)), x, low, high, counts);
  }

  static void cpu(Call &call, In<float> x, int64 bins, float low, float high, Out<int64> counts) {
    call.zero(counts);
    for (int64 i = 0; i < x.size(); ++i) {
      if (const int64 b = bin_of(x[i], bins, low, high); b >= 0) {
        ++counts[b];
      }
    }
  }
};
CUVEC_EXPORT(histogram);
