#include <cuvec.h>

struct clamp {
  static constexpr auto signature = "clamp<T: float32, float64>(x: T(n), mask: out bool(n)? = "
                                    "None, *, total: inout T(n)? = None, "
                                    "limit: T = 1) -> y: T(n)";
  static constexpr auto doc = "Return the lesser of `x` and `limit`, add it to `total`, and say in "
                              "`mask` where `x` is greater.";

  template <class T>
  static __host__ __device__ void each(T x, bool *mask, T *total, T limit, T &y) {
    y = x > limit ? limit : x;
    if (mask) {
      *mask = x > limit;
    }
    if (total) {
      *total += y;
    }
  }
};
CUVEC_EXPORT(clamp);
