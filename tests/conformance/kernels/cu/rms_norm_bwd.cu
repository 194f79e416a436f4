#include <cuvec.h>

using namespace cuvec;

template <class T>
__host__ __device__ void rms_norm_bwd_row(In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> rstd,
                                          Out<T, 2> dx, Out<T, 2> dweight, int64 row) {
  const int64 n = weight.size();
  double products = 0;
  for (int64 i = 0; i < n; ++i) {
    products += double(dy(row, i)) * double(weight[i]) * double(x(row, i));
  }
  const double scale = rstd[row];
  const double common = products * scale * scale / double(n);
  for (int64 i = 0; i < n; ++i) {
    dx(row, i) = T(scale * (double(dy(row, i)) * double(weight[i]) - common * double(x(row, i))));
    dweight(row, i) = T(double(dy(row, i)) * double(x(row, i)) * scale);
  }
}

template <class T>
__global__ void rms_norm_bwd_rows(In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> rstd,
                                  Out<T, 2> dx, Out<T, 2> dweight) {
  for (int64 row = thread_index(); row < dx.shape[0]; row += thread_count()) {
    rms_norm_bwd_row(dy, x, weight, rstd, dx, dweight, row);
  }
}

struct rms_norm_bwd {
  static constexpr auto signature =
      "rms_norm_bwd<T: float32, bfloat16>(dy: T(...,n), x: T(...,n), weight: T(n), "
      "rstd: float32(...)) -> dx: T(...,n), dweight: T(...,n)";
  static constexpr auto doc = "The gradients of `rms_norm`, for `weight` one for each row.";

  template <class T>
  static void gpu(Call &call, In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> rstd, Out<T, 2> dx,
                  Out<T, 2> dweight) {
    call.launch<rms_norm_bwd_rows<T>>(threads_for(dx.shape[0]), dy, x, weight, rstd, dx, dweight);
  }
  template <class T>
  static void cpu(In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> rstd, Out<T, 2> dx,
                  Out<T, 2> dweight) {
    parallel(dx.shape[0],
             [=](int64 row) { rms_norm_bwd_row(dy, x, weight, rstd, dx, dweight, row); });
  }
};
CUVEC_EXPORT(rms_norm_bwd);
