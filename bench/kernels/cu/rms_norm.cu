#include <cuvec.h>

using namespace cuvec;

struct rms_norm {
  static constexpr auto signature =
      "rms_norm<T: float32, float16, bfloat16>(x: T(...,n), weight: T(n), *, "
      "eps: float32 = 1e-6) -> y: T(...,n), rstd: saved float32(...)";
  static constexpr auto derivative = "dx, dweight = rms_norm_bwd(dy, x, weight, rstd)";
  static constexpr auto doc =
      "Return the rows of `x`, divided by their root mean square and multiplied by `weight`.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, RowIn<T> weight, float eps, RowOut<T> y,
                                      float &rstd) {
    const float squares = row.sum([&](Place i) { return float(x[i]) * float(x[i]); });
    rstd = rsqrtf(squares / float(row.size()) + eps);
    row.each([&](Place i) { y[i] = T(float(x[i]) * rstd * float(weight[i])); });
  }
};
CUVEC_EXPORT(rms_norm);
