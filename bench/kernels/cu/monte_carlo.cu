#include <cuvec.h>

using namespace cuvec;

// A number in [0, 1) that follows from `counter` alone (splitmix64).
__host__ __device__ inline double uniform(uint64_t counter) {
  counter += 0x9e3779b97f4a7c15U;
  counter = (counter ^ (counter >> 30U)) * 0xbf58476d1ce4e5b9U;
  counter = (counter ^ (counter >> 27U)) * 0x94d049bb133111ebU;
  return double((counter >> 11U) ^ (counter >> 42U)) * 0x1p-53;
}

// Points of one part of all samples that are in the circle.
__host__ __device__ inline int64 in_circle(Row &row, int64 part, int64 samples, int64 seed) {
  const int64 before = part * row.size(), left = samples - before;
  const uint64_t first = uint64_t(seed) * 0x632be59bd9b4e019U + 2 * uint64_t(before);
  return row.sum([=](int64 i) {
    const double x = uniform(first + 2 * uint64_t(i)), y = uniform(first + 2 * uint64_t(i) + 1);
    return int64(i < left && x * x + y * y < 1);
  });
}

__host__ __device__ inline int64 total(Row &row, In<int64> counts) {
  return row.sum([=](int64 i) { return counts[i]; });
}

struct monte_carlo {
  static constexpr auto signature =
      "monte_carlo(samples: int64, *, seed: int64 = 0) -> inside: int64";
  static constexpr auto doc = "Return how many of so many points of a square are in its circle.";

  static void passes(Call &call, int64 samples, int64 seed, Out<int64, 0> inside) {
    constexpr int64 size = 8192;
    const auto counts = call.scratch<int64>((std::max<int64>(0, samples) + size - 1) / size);
    call.each_row<in_circle>(counts, size, samples, seed);
    call.each_row<total>(inside, counts.size(), counts);
  }
};
CUVEC_EXPORT(monte_carlo);
