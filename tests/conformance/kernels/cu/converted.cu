#include <cuvec.h>

struct converted {
  static constexpr auto signature =
      "converted<D: float32, float64>(x: float32(...), *, dtype: dtype(D)) -> y: D(...)";
  static constexpr auto doc = "Return `x` in the dtype that each call has to ask for.";
  static constexpr auto derivative = "dx = converted_bwd(dy, x)";

  template <class D> static __host__ __device__ void each(float x, D &y) { y = D(x); }
};
CUVEC_EXPORT(converted);
