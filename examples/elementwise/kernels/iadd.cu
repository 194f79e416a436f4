#include <cuvec.h>

struct iadd {
  static constexpr auto signature = "iadd<T: float32, complex64>(x: inout T(...), y: T(...))";
  static constexpr auto doc = "Add `y` to `x`, in place.";

  template <class T> static __host__ __device__ void each(T &x, T y) { x += y; }
};
CUVEC_EXPORT(iadd);
