#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline float both(In<float, 2> x, int64 i, int64 j) {
  const float in_memory_order = x[i * x.size(1) + j];
  return in_memory_order + x(i, j);
}

__global__ void twice_at_kernel(In<float, 2> x, int64 i, int64 j, Out<float, 0> y) {
  *y = both(x, i, j);
}

struct twice_at {
  static constexpr auto signature = "twice_at(x: float32(m,n), i: int64, j: int64) -> float32";
  static constexpr auto doc = "Twice the element `x[i, j]`. Only a build with DEBUG checks both.";

  static void gpu(Call &call, In<float, 2> x, int64 i, int64 j, Out<float, 0> y) {
    call.launch<twice_at_kernel>(Grid(1, 1), x, i, j, y);
  }
  static void cpu(In<float, 2> x, int64 i, int64 j, Out<float, 0> y) { *y = both(x, i, j); }
};
CUVEC_EXPORT(twice_at);
