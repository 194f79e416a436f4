#include <cuvec.h>

using namespace cuvec;

template <class T>
__host__ __device__ void rms_norm_row(In<T, 2> x, In<T> weight, double eps, Out<T, 2> y,
                                      Out<float> rstd, int64 row) {
  double squares = 0;
  for (int64 i = 0; i < weight.size(); ++i) {
    squares += double(x(row, i)) * double(x(row, i));
  }
  const double scale = 1 / std::sqrt(squares / double(weight.size()) + eps);
  rstd[row] = float(scale);
  for (int64 i = 0; i < weight.size(); ++i) {
    y(row, i) = T(double(x(row, i)) * scale * double(weight[i]));
  }
}

template <class T>
__global__ void rms_norm_rows(In<T, 2> x, In<T> weight, double eps, Out<T, 2> y, Out<float> rstd) {
  for (int64 row = thread_index(); row < y.shape[0]; row += thread_count()) {
    rms_norm_row(x, weight, eps, y, rstd, row);
  }
}

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
  static void gpu(Call &call, In<T, 2> x, In<T> weight, double eps, Out<T, 2> y, Out<float> rstd) {
    call.launch<rms_norm_rows<T>>(threads_for(y.shape[0]), x, weight, eps, y, rstd);
  }
  template <class T>
  static void cpu(In<T, 2> x, In<T> weight, double eps, Out<T, 2> y, Out<float> rstd) {
    parallel(y.shape[0], [=](int64 row) { rms_norm_row(x, weight, eps, y, rstd, row); });
  }
};
CUVEC_EXPORT(rms_norm);
