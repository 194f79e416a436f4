#include <cuvec.h>

struct mul {
  static constexpr auto signature = "mul<T: float32, complex64>(x: T(...), y: T(...)) -> T(...)";
  static constexpr auto doc = "Return `x * y`.";

  template <class T> static __host__ __device__ void each(T x, T y, T &z) { z = x * y; }
};
CUVEC_EXPORT(mul);
