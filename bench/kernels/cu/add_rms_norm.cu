#include <cuvec.h>

using namespace cuvec;

struct add_rms_norm {
  static constexpr auto signature = "add_rms_norm<T: float32, float16, bfloat16>(x: T(...,n), "
                                    "residual: T(...,n), weight: T(n), *, "
                                    "eps: float32 = 1e-6) -> y: T(...,n), sum: T(...,n)";
  static constexpr auto doc = "Return the rows of `x + residual`, divided by their root mean "
                              "square and multiplied by `weight`, and this sum.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, RowIn<T> residual, RowIn<T> weight,
                                      float eps, RowOut<T> y, RowOut<T> sum) {
    const auto added = [&](Place i) { return T(float(x[i]) + float(residual[i])); };
    const float squares = row.sum([&](Place i) { return float(added(i)) * float(added(i)); });
    const float scale = rsqrtf(squares / float(row.size()) + eps);
    row.each([&](Place i) {
      sum[i] = added(i);
      y[i] = T(float(added(i)) * scale * float(weight[i]));
    });
  }
};
CUVEC_EXPORT(add_rms_norm);
