#include <cuvec.h>

struct cube_bwd2 {
  static constexpr auto signature = "cube_bwd2<T: float32, float64>"
                                    "(ddx: T(...), dy: T(...), x: T(...), a: T) -> T(...)";
  static constexpr auto doc = "`6 * a * x * dy * ddx`, without a derivative.";

  template <class T> static __host__ __device__ void each(T ddx, T dy, T x, T a, T &dx) {
    dx = 6 * a * x * dy * ddx;
  }
};
CUVEC_EXPORT(cube_bwd2);
