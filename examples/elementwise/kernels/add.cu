#include <cuvec.h>

struct add {
  static constexpr auto signature = "add<T: float32, complex64>(x: T(...), y: T(...)) -> T(...)";
  static constexpr auto doc = "Return `x + y`.";

  template <class T> static __host__ __device__ void each(T x, T y, T &z) { z = x + y; }
};
CUVEC_EXPORT(add);
