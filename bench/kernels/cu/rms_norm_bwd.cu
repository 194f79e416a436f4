#include <cuvec.h>

using namespace cuvec;

struct rms_norm_bwd {
  static constexpr auto signature =
      "rms_norm_bwd<T: float32, float16, bfloat16>(dy: T(...,n), x: T(...,n), weight: T(n), "
      "rstd: float32(...)) -> dx: T(...,n), dweight: T(...,n)";
  static constexpr auto doc = "Return the gradients of `rms_norm`; for `weight` one for each row.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> dy, RowIn<T> x, RowIn<T> weight,
                                      float rstd, RowOut<T> dx, RowOut<T> dweight) {
    const auto grad = [&](Place i) { return float(dy[i]) * float(weight[i]); };
    const float products = row.sum([&](Place i) { return grad(i) * float(x[i]); });
    const float common = products * rstd * rstd / float(row.size());
    row.each([&](Place i) {
      dx[i] = T(rstd * (grad(i) - common * float(x[i])));
      dweight[i] = T(float(dy[i]) * float(x[i]) * rstd);
    });
  }
};
CUVEC_EXPORT(rms_norm_bwd);
