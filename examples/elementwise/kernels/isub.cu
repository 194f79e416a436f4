#include <cuvec.h>

struct isub {
  static constexpr auto signature = "isub<T: float32, complex64>(x: inout T(...), y: T(...))";
  static constexpr auto doc = "Subtract `y` from `x`, in place.";

  template <class T> static __host__ __device__ void each(T &x, T y) { x -= y; }
};
CUVEC_EXPORT(isub);
