#include <cuvec.h>

namespace elementwise { // C has a function of this name

struct div {
  static constexpr auto signature =
      "div<T: float32, complex64>(x: T(...), y: T(...), *, default: T = 0) -> T(...)";
  static constexpr auto doc = "Return `x / y`, and `default` where `y` is 0.";

  template <class T> static __host__ __device__ void each(T x, T y, T otherwise, T &z) {
    z = y == T(0) ? otherwise : x / y;
  }
};
CUVEC_EXPORT(div);

} // namespace elementwise
