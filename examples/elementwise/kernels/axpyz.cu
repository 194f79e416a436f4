#include <cuvec.h>

struct axpyz {
  static constexpr auto signature =
      "axpyz<T: float32, complex64>(a: T, x: T(...), y: T(...), z: T(...)) -> T(...)";
  static constexpr auto doc = "Return `a * x + y * z`, in one pass.";

  template <class T> static __host__ __device__ void each(T a, T x, T y, T z, T &sum) {
    sum = a * x + y * z;
  }
};
CUVEC_EXPORT(axpyz);
