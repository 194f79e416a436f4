#include <cuvec.h>

struct polynomial {
  static constexpr auto signature =
      "polynomial(x: float32(...), a: float32[12], odd: bool[1] = (False,)) -> y: float32(...)";
  static constexpr auto doc =
      "The sum of `a[k]` times `x` to the power of k, for odd ones alone or all.";

  static __host__ __device__ void each(float x, cuvec::Tuple<float, 12> a,
                                       cuvec::Tuple<bool, 1> odd, float &y) {
    y = 0;
    for (int k = 11; k >= 0; --k) {
      y = y * x + (odd[0] && k % 2 == 0 ? 0 : a[k]);
    }
  }
};
CUVEC_EXPORT(polynomial);
