#include <cuvec.h>

struct shift {
  static constexpr auto signature = "shift<T: float32, float64>(by: T(n)?, y: inout T(n), *, "
                                    "scale: T(n)? = None)";
  static constexpr auto doc = "Add `by`, times `scale`, to `y`.";

  template <class T> static __host__ __device__ void each(const T *by, T &y, const T *scale) {
    if (by) {
      y += scale ? *by * *scale : *by;
    }
  }
};
CUVEC_EXPORT(shift);
