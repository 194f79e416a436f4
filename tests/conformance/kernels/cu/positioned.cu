#include <cuvec.h>

struct positioned {
  static constexpr auto signature =
      "positioned<P: int32, int64>(x: float64(n), positions: P(n)? = None, *, shift: P = 0) "
      "-> y: float64(n)";
  static constexpr auto doc = "Add to `x` its positions, if there are any, and `shift`.";

  template <class P>
  static __host__ __device__ void each(double x, const P *positions, P shift, double &y) {
    y = x + double(positions ? *positions : 0) + double(shift);
  }
};
CUVEC_EXPORT(positioned);
