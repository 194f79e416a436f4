#include <cuvec.h>

using namespace cuvec;

struct rms_norm_bwd {
  static constexpr auto signature =
      "rms_norm_bwd<T: float32, bfloat16>(dy: T(...,n), x: T(...,n), weight: T(n), "
      "rstd: float32(...)) -> dx: T(...,n), dweight: T(...,n)";
  static constexpr auto doc = "The gradients of `rms_norm`, for `weight` one for each row.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> dy, RowIn<T> x, RowIn<T> weight,
                                      float rstd, RowOut<T> dx, RowOut<T> dweight) {
    const double scale = rstd;
    const auto product = [&](Place i) { return double(dy[i]) * double(x[i]); };
    const double sum = row.sum([&](Place i) { return product(i) * double(weight[i]); });
    const double common = sum * scale * scale / double(row.size());
    row.each([&](Place i) {
      dx[i] = T(scale * (double(dy[i]) * double(weight[i]) - common * double(x[i])));
      dweight[i] = T(product(i) * scale);
    });
  }
};
CUVEC_EXPORT(rms_norm_bwd);
