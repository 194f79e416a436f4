#include <cuvec.h>

using namespace cuvec;

struct gelu {
  static constexpr auto signature = "gelu<T: float32, float16, bfloat16>(x: T(...)) -> y: T(...)";
  static constexpr auto doc = "Return `x`, times the normal distribution function of `x`.";

  template <class T> static __host__ __device__ void each(T x, T &y) {
    const float value = float(x);
    y = T(0.5F * value * (1 + erff(value * 0.70710678F)));
  }
};
CUVEC_EXPORT(gelu);
