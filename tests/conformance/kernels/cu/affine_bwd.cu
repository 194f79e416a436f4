#include <cuvec.h>

struct affine_bwd {
  static constexpr auto signature =
      "affine_bwd<T: float32, float64>(dy: T(...), x: T(...), weight: T(...), bias: T(...)?) -> "
      "dx: T(...), dweight: T(...), dbias: T(...)";
  static constexpr auto doc = "Gradients of `affine`, with a row for each of `x`: their sums are "
                              "those of `weight` and of `bias`.";

  template <class T>
  static __host__ __device__ void each(T dy, T x, T weight, const T *bias, T &dx, T &dweight,
                                       T &dbias) {
    dx = dy * weight;
    dweight = dy * x;
    dbias = bias ? dy : T(0);
  }
};
CUVEC_EXPORT(affine_bwd);
