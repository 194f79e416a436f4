#include <cuvec.h>

struct cast {
  static constexpr auto signature =
      "cast<S: float32, int32, T: float64, int64, complex64>(x: S(m, n), y: out T(m, n))";
  static constexpr auto doc =
      "Write the elements of `x` to `y`, which has another dtype: two variables.";

  template <class S, class T> static __host__ __device__ void each(S x, T &y) { y = T(x); }
};
CUVEC_EXPORT(cast);
