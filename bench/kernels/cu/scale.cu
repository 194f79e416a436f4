#include <cuvec.h>

struct scale {
  static constexpr auto signature = "scale<T: float32, float64>(a: T, x: inout T(...))";
  static constexpr auto doc = "Multiply `x` by `a`, in place.";

  template <class T> static __host__ __device__ void each(T a, T &x) { x *= a; }
};
CUVEC_EXPORT(scale);
