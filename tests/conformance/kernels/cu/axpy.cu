#include <cuvec.h>

struct axpy {
  static constexpr auto signature = "axpy<T: float32, float64>(a: T, x: T(...), y: inout T(...))";
  static constexpr auto doc = R"(Add `a * x` to `y`, element by element, in place.

a: what `x` is multiplied by
x: what is added
y: what it is added to)";

  template <class T> static __host__ __device__ void each(T a, T x, T &y) { y += a * x; }
};
CUVEC_EXPORT(axpy);
