#include <cuvec.h>

struct astype {
  static constexpr auto signature =
      "astype<S: float32, int32, D: float32, float16, int64>(x: S(...), *, dtype: D = float16) "
      "-> y: D(...)";
  static constexpr auto doc = "Return the elements of `x` in the dtype that the caller asks for.";

  template <class S, class D> static __host__ __device__ void each(S x, D &y) { y = D(x); }
};
CUVEC_EXPORT(astype);
