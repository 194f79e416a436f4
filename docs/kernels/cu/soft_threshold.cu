#include <cuvec.h>

struct soft_threshold {
  static constexpr auto signature =
      "soft_threshold<T: float32, float64>(x: T(...), limit: T) -> T(...)";
  static constexpr auto doc = "Move the elements of `x` towards zero by `limit`, but not beyond.";

  template <class T> static __host__ __device__ void each(T x, T limit, T &y) {
    y = x > limit ? x - limit : x < -limit ? x + limit : T(0);
  }
};
CUVEC_EXPORT(soft_threshold);
