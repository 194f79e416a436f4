#include <cuvec.h>

struct scale {
  static constexpr auto signature =
      "scale<T: float16, bfloat16, float8_e4m3fn, float8_e5m2, float8_e8m0fnu>"
      "(a: float32, x: T(...)) -> T(...)";
  static constexpr auto doc = "`a * x`, element by element, computed in float32.";

  template <class T> static __host__ __device__ void each(float a, T x, T &y) { y = a * x; }
};
CUVEC_EXPORT(scale);
