#include <cuvec.h>

using namespace cuvec;

struct layer_norm {
  static constexpr auto signature =
      "layer_norm<T: float32, float16, bfloat16>(x: T(...,n), weight: T(n), bias: T(n), *, "
      "eps: float32 = 1e-5) -> y: T(...,n), mean: saved float32(...), rstd: saved float32(...)";
  static constexpr auto derivative =
      "dx, dweight, dbias = layer_norm_bwd(dy, x, weight, mean, rstd)";
  static constexpr auto doc = "Return the rows of `x` with mean 0 and variance 1, times `weight` "
                              "plus `bias`.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, RowIn<T> weight, RowIn<T> bias,
                                      float eps, RowOut<T> y, float &mean, float &rstd) {
    const auto n = float(row.size());
    mean = row.sum([&](Place i) { return x[i]; }) / n;
    const auto centered = [&](Place i) { return float(x[i]) - mean; };
    const float squares = row.sum([&](Place i) { return centered(i) * centered(i); });
    rstd = rsqrtf(squares / n + eps);
    row.each([&](Place i) { y[i] = T(centered(i) * rstd * float(weight[i]) + float(bias[i])); });
  }
};
CUVEC_EXPORT(layer_norm);
