#include <cuvec.h>

using namespace cuvec;

struct rms_norm {
  static constexpr auto signature = "rms_norm<T: float32, bfloat16>(x: T(...,n), weight: T(n), *, "
                                    "eps: float64 = 1e-6) -> y: T(...,n), rstd: saved float32(...)";
  static constexpr auto derivative = "dx, dweight = rms_norm_bwd(dy, x, weight, rstd)";
  static constexpr auto doc = R"(
    Divide the rows of `x` by their root mean square, and multiply by `weight`: leading dimensions.

    x: features, each row a sample
    weight: what each feature is multiplied by,
        as it was learned
    eps : added to the mean, so that "zero" samples stay zero
    y: the samples, of a root mean square of about one
    rstd: one over the root mean square of each sample

    Reference: Zhang and Sennrich, 2019, whose text has a \ and """.
  )";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, RowIn<T> weight, double eps,
                                      RowOut<T> y, float &rstd) {
    const double squares = row.sum([&](Place i) { return double(x[i]) * double(x[i]); });
    const double scale = 1 / std::sqrt(squares / double(row.size()) + eps);
    rstd = float(scale);
    row.each([&](Place i) { y[i] = T(double(x[i]) * scale * double(weight[i])); });
  }
};
CUVEC_EXPORT(rms_norm);
