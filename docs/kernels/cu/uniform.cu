#include <array>

#include <cuvec.h>
#ifdef CUVEC_CUDA
#include <curand_kernel.h>
#endif

using namespace cuvec;

/// The numbers 4 i to 4 i + 3 of curand's Philox: Salmon et al., Parallel random numbers (2011).
inline std::array<float, 4> four_numbers(std::uint64_t seed, int64 i) {
  std::uint32_t key[2] = {std::uint32_t(seed), std::uint32_t(seed >> 32)};
  std::uint32_t x[4] = {0, 0, std::uint32_t(i), std::uint32_t(i >> 32)};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = 0xD2511F53ULL * x[0], b = 0xCD9E8D57ULL * x[2];
    x[0] = std::uint32_t(b >> 32U) ^ x[1] ^ key[0];
    x[1] = std::uint32_t(b);
    x[2] = std::uint32_t(a >> 32U) ^ x[3] ^ key[1];
    x[3] = std::uint32_t(a);
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  const auto number = [](std::uint32_t bits) { return float(bits) * 0x1p-32F + 0x1p-33F; };
  return {number(x[0]), number(x[1]), number(x[2]), number(x[3])};
}

#ifdef CUVEC_CUDA
__global__ void uniform_numbers(std::uint64_t seed, Out<float> y) {
  for (int64 i = thread_index(); 4 * i < y.size(); i += thread_count()) {
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 0, &state);
    for (int64 k = 4 * i; k < y.size() && k < 4 * i + 4; ++k) {
      y[k] = curand_uniform(&state);
    }
  }
}
#endif

struct uniform {
  static constexpr auto signature = "uniform(n: int64, *, seed: uint64 = 0) -> y: float32(n)";
  static constexpr auto doc = "Return `n` random numbers, more than 0 and at most 1.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, int64 n, std::uint64_t seed, Out<float> y) {
    call.launch<uniform_numbers>(threads_for((n + 3) / 4), seed, y);
  }
#endif
  static void cpu(int64 n, std::uint64_t seed, Out<float> y) {
    parallel((n + 3) / 4, [=](int64 i) {
      const std::array<float, 4> numbers = four_numbers(seed, i);
      for (int64 k = 4 * i; k < n && k < 4 * i + 4; ++k) {
        y[k] = numbers[std::size_t(k - 4 * i)];
      }
    });
  }
};
CUVEC_EXPORT(uniform);
