#include <cuvec.h>

using namespace cuvec;

// The gradients at one element; `common` is the mean of dy * weight * x in its row, times rstd².
template <class T>
__host__ __device__ void rms_norm_bwd_at(In<T, 2> dy, In<T, 2> x, In<T> weight, float rstd,
                                         float common, int64 row, int64 i, Out<T, 2> dx,
                                         Out<T, 2> dweight) {
  const float grad = float(dy(row, i)), value = float(x(row, i));
  dx(row, i) = T(rstd * (grad * float(weight[i]) - common * value));
  dweight(row, i) = T(grad * value * rstd);
}

// One warp for each row of `x`.
template <class T>
__global__ void rms_norm_bwd_rows(In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> rstd,
                                  Out<T, 2> dx, Out<T, 2> dweight) {
  const int64 row = thread_index() / 32, lane = threadIdx.x % 32, n = weight.size();
  if (row >= rstd.size()) {
    return;
  }
  float products = 0;
  for (int64 i = lane; i < n; i += 32) {
    products += float(dy(row, i)) * float(weight[i]) * float(x(row, i));
  }
  const float common = __shfl_sync(~0U, warp_sum(products), 0) * rstd[row] * rstd[row] / float(n);
  for (int64 i = lane; i < n; i += 32) {
    rms_norm_bwd_at(dy, x, weight, rstd[row], common, row, i, dx, dweight);
  }
}

struct rms_norm_bwd {
  static constexpr auto signature =
      "rms_norm_bwd<T: float32, bfloat16>(dy: T(...,n), x: T(...,n), weight: T(n), "
      "rstd: float32(...)) -> dx: T(...,n), dweight: T(...,n)";
  static constexpr auto doc = "Return the gradients of `rms_norm`; for `weight` one for each row.";

  template <class T>
  static void gpu(Call &call, In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> rstd, Out<T, 2> dx,
                  Out<T, 2> dweight) {
    const Grid grid = threads_for(32 * rstd.size());
    call.launch<rms_norm_bwd_rows<T>>(grid, dy, x, weight, rstd, dx, dweight);
  }

  template <class T>
  static void cpu(In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> rstd, Out<T, 2> dx,
                  Out<T, 2> dweight) {
    const int64 n = weight.size();
    const auto differentiate = [=](int64 row) {
      const float products = sum(
          0, n, [=](int64 i) { return float(dy(row, i)) * float(weight[i]) * float(x(row, i)); });
      const float common = products * rstd[row] * rstd[row] / float(n);
      for (int64 i = 0; i < n; ++i) {
        rms_norm_bwd_at(dy, x, weight, rstd[row], common, row, i, dx, dweight);
      }
    };
    parallel(rstd.size(), differentiate, 16);
  }
};
CUVEC_EXPORT(rms_norm_bwd);
