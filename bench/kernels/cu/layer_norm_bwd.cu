#include <cuvec.h>

using namespace cuvec;

// The sums over a row that the gradients need: of dy * weight, and of that times the normalized x.
struct RowSums {
  float grad, product;
  __host__ __device__ RowSums &operator+=(RowSums other) {
    grad += other.grad;
    product += other.product;
    return *this;
  }
};

struct layer_norm_bwd {
  static constexpr auto signature =
      "layer_norm_bwd<T: float32, float16, bfloat16>(dy: T(...,n), x: T(...,n), weight: T(n), "
      "mean: float32(...), rstd: float32(...)) -> dx: T(...,n), dweight: T(...,n), "
      "dbias: T(...,n)";
  static constexpr auto doc = "Return the gradients of `layer_norm`; for `weight` and `bias` "
                              "one for each row.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> dy, RowIn<T> x, RowIn<T> weight,
                                      float mean, float rstd, RowOut<T> dx, RowOut<T> dweight,
                                      RowOut<T> dbias) {
    const auto n = float(row.size());
    const auto normal = [&](Place i) { return (float(x[i]) - mean) * rstd; };
    const auto grad = [&](Place i) { return float(dy[i]) * float(weight[i]); };
    const RowSums sums = row.sum([&](Place i) { return RowSums{grad(i), grad(i) * normal(i)}; });
    row.each([&](Place i) {
      dx[i] = T(rstd * (grad(i) - sums.grad / n - normal(i) * sums.product / n));
      dweight[i] = T(float(dy[i]) * normal(i));
      dbias[i] = dy[i];
    });
  }
};
CUVEC_EXPORT(layer_norm_bwd);
