#include <cuvec.h>

struct idiv {
  static constexpr auto signature =
      "idiv<T: float32, complex64>(x: inout T(...), y: T(...), *, default: T = 0)";
  static constexpr auto doc = "Divide `x` by `y`, in place; where `y` is 0, it becomes `default`.";

  template <class T> static __host__ __device__ void each(T &x, T y, T otherwise) {
    x = y == T(0) ? otherwise : x / y;
  }
};
CUVEC_EXPORT(idiv);
