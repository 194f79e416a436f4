// The twin of heat in heat_in_rust.rs.

#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline float heat_at(int64, int64, Edge<float, 2> x, float rate) {
  const float around = x.near(-1, 0) + x.near(1, 0) + x.near(0, -1) + x.near(0, 1);
  return x.near(0, 0) + rate * (around - 4 * x.near(0, 0));
}

struct heat {
  static constexpr auto signature =
      "heat(rate: float32, x: float32(rows, columns), y: out float32(rows, columns))";
  static constexpr auto doc = "A step of heat flow through a plate, which loses none at its edges.";

  static void passes(Call &call, float rate, In<float, 2> x, Out<float, 2> y) {
    call.each<heat_at>(y, x, rate);
  }
};
CUVEC_EXPORT(heat);
