#include <cuvec.h>

using namespace cuvec;

// One warp for each row of `x`.
template <class T>
__global__ void rms_norm_rows(In<T, 2> x, In<T> weight, float eps, Out<T, 2> y, Out<float> rstd) {
  const int64 row = thread_index() / 32, lane = threadIdx.x % 32, n = weight.size();
  if (row >= rstd.size()) {
    return;
  }
  float squares = 0;
  for (int64 i = lane; i < n; i += 32) {
    squares += float(x(row, i)) * float(x(row, i));
  }
  const float scale = __shfl_sync(~0U, rsqrtf(warp_sum(squares) / float(n) + eps), 0);
  for (int64 i = lane; i < n; i += 32) {
    y(row, i) = T(float(x(row, i)) * scale * float(weight[i]));
  }
  if (lane == 0) {
    rstd[row] = scale;
  }
}

struct rms_norm {
  static constexpr auto signature = "rms_norm<T: float32, bfloat16>(x: T(...,n), weight: T(n), *, "
                                    "eps: float32 = 1e-6) -> y: T(...,n), rstd: saved float32(...)";
  static constexpr auto derivative = "dx, dweight = rms_norm_bwd(dy, x, weight, rstd)";
  static constexpr auto doc =
      "Return the rows of `x`, divided by their root mean square and multiplied by `weight`.";

  template <class T>
  static void gpu(Call &call, In<T, 2> x, In<T> weight, float eps, Out<T, 2> y, Out<float> rstd) {
    call.launch<rms_norm_rows<T>>(threads_for(32 * rstd.size()), x, weight, eps, y, rstd);
  }

  template <class T>
  static void cpu(In<T, 2> x, In<T> weight, float eps, Out<T, 2> y, Out<float> rstd) {
    const int64 n = weight.size();
    const auto norm = [=](int64 row) {
      const float squares = sum(0, n, [=](int64 i) { return float(x(row, i)) * float(x(row, i)); });
      rstd[row] = 1 / std::sqrt(squares / float(n) + eps);
      for (int64 i = 0; i < n; ++i) {
        y(row, i) = T(float(x(row, i)) * rstd[row] * float(weight[i]));
      }
    };
    parallel(rstd.size(), norm, 16);
  }
};
CUVEC_EXPORT(rms_norm);
