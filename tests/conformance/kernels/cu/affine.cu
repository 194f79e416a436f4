#include <cuvec.h>

using namespace cuvec;

struct affine {
  static constexpr auto signature = "affine<T: float32, float64>(x: T(...,n), weight: T(n), "
                                    "bias: T(n)? = None) -> y: T(...,n)";
  static constexpr auto derivative = "dx, dweight, dbias = affine_bwd(dy, x, weight, bias)";
  static constexpr auto doc = "Rows of `x` times `weight`, plus `bias` if there is one.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, RowIn<T> weight, RowIn<T> bias,
                                      RowOut<T> y) {
    row.each([&](Place i) { y[i] = x[i] * weight[i] + (bias ? bias[i] : T(0)); });
  }
};
CUVEC_EXPORT(affine);
