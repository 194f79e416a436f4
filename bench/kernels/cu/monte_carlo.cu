#include <cuvec.h>

using namespace cuvec;

// A number in [0, 1) that follows from `counter` alone (splitmix64).
__host__ __device__ inline double uniform(uint64_t counter) {
  counter += 0x9e3779b97f4a7c15U;
  counter = (counter ^ (counter >> 30U)) * 0xbf58476d1ce4e5b9U;
  counter = (counter ^ (counter >> 27U)) * 0x94d049bb133111ebU;
  return double((counter ^ (counter >> 31U)) >> 11U) * 0x1p-53;
}

__host__ __device__ inline int64 in_circle(int64 seed, int64 i) {
  const uint64_t counter = uint64_t(seed) * 0x632be59bd9b4e019U + 2 * uint64_t(i);
  const double x = uniform(counter), y = uniform(counter + 1);
  return x * x + y * y < 1 ? 1 : 0;
}

__global__ void count_in_circle(int64 samples, int64 seed, Out<int64, 0> inside) {
  int64 count = 0;
  for (int64 i = thread_index(); i < samples; i += thread_count()) {
    count += in_circle(seed, i);
  }
  count = block_sum(count);
  if (threadIdx.x == 0) {
    atomic_add(*inside, count);
  }
}

struct monte_carlo {
  static constexpr auto signature =
      "monte_carlo(samples: int64, *, seed: int64 = 0) -> inside: int64";
  static constexpr auto doc = "Return how many of so many points of a square are in its circle.";

  static void gpu(Call &call, int64 samples, int64 seed, Out<int64, 0> inside) {
    call.zero(inside);
    call.launch<count_in_circle>(threads_for(samples, 256, 1024), samples, seed, inside);
  }

  static void cpu(int64 samples, int64 seed, Out<int64, 0> inside) {
    *inside = 0;
    for (int64 i = 0; i < samples; ++i) {
      *inside += in_circle(seed, i);
    }
  }
};
CUVEC_EXPORT(monte_carlo);
