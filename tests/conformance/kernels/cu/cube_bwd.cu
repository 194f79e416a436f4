#include <cuvec.h>

struct cube_bwd {
  static constexpr auto signature =
      "cube_bwd<T: float32, float64>(dy: T(...), x: T(...), *, a: T = 1) -> T(...)";
  static constexpr auto derivative = "ddy = cube_bwd(dout, x, a=a); dx = cube_bwd2(dout, dy, x, a)";
  static constexpr auto doc = "The gradient of `cube`, itself with a derivative: two steps.";

  template <class T> static __host__ __device__ void each(T dy, T x, T a, T &dx) {
    dx = 3 * a * x * x * dy;
  }
};
CUVEC_EXPORT(cube_bwd);
