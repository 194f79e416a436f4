#include <cuvec.h>

struct cube {
  static constexpr auto signature =
      "cube<T: float32, float64, int32>(x: T(...), *, a: T = 1) -> y: T(...)";
  static constexpr auto derivative = "dx = cube_bwd(dy, x, a=a)";
  static constexpr auto doc = "`a * x**3`, element by element: a function with derivatives.";

  template <class T> static __host__ __device__ void each(T x, T a, T &y) { y = a * x * x * x; }
};
CUVEC_EXPORT(cube);
