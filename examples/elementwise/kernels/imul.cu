#include <cuvec.h>

struct imul {
  static constexpr auto signature = "imul<T: float32, complex64>(x: inout T(...), y: T(...))";
  static constexpr auto doc = "Multiply `x` by `y`, in place.";

  template <class T> static __host__ __device__ void each(T &x, T y) { x *= y; }
};
CUVEC_EXPORT(imul);
