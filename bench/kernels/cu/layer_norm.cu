#include <cuvec.h>

using namespace cuvec;

// One warp for each row of `x`.
template <class T>
__global__ void layer_norm_rows(In<T, 2> x, In<T> weight, In<T> bias, float eps, Out<T, 2> y,
                                Out<float> mean, Out<float> rstd) {
  const int64 row = thread_index() / 32, lane = threadIdx.x % 32, n = weight.size();
  if (row >= rstd.size()) {
    return;
  }
  float total = 0, squares = 0;
  for (int64 i = lane; i < n; i += 32) {
    total += float(x(row, i));
  }
  const float middle = __shfl_sync(~0U, warp_sum(total), 0) / float(n);
  for (int64 i = lane; i < n; i += 32) {
    squares += (float(x(row, i)) - middle) * (float(x(row, i)) - middle);
  }
  const float scale = __shfl_sync(~0U, rsqrtf(warp_sum(squares) / float(n) + eps), 0);
  for (int64 i = lane; i < n; i += 32) {
    y(row, i) = T((float(x(row, i)) - middle) * scale * float(weight[i]) + float(bias[i]));
  }
  if (lane == 0) {
    mean[row] = middle;
    rstd[row] = scale;
  }
}

struct layer_norm {
  static constexpr auto signature =
      "layer_norm<T: float32, bfloat16>(x: T(...,n), weight: T(n), bias: T(n), *, "
      "eps: float32 = 1e-5) -> y: T(...,n), mean: saved float32(...), rstd: saved float32(...)";
  static constexpr auto derivative =
      "dx, dweight, dbias = layer_norm_bwd(dy, x, weight, mean, rstd)";
  static constexpr auto doc = "Return the rows of `x` with mean 0 and variance 1, times `weight` "
                              "plus `bias`.";

  template <class T>
  static void gpu(Call &call, In<T, 2> x, In<T> weight, In<T> bias, float eps, Out<T, 2> y,
                  Out<float> mean, Out<float> rstd) {
    const Grid grid = threads_for(32 * rstd.size());
    call.launch<layer_norm_rows<T>>(grid, x, weight, bias, eps, y, mean, rstd);
  }

  template <class T>
  static void cpu(In<T, 2> x, In<T> weight, In<T> bias, float eps, Out<T, 2> y, Out<float> mean,
                  Out<float> rstd) {
    const int64 n = weight.size();
    const auto norm = [=](int64 row) {
      const float middle = sum(0, n, [=](int64 i) { return float(x(row, i)); }) / float(n);
      const float variance =
          sum(0, n,
              [=](int64 i) { return (float(x(row, i)) - middle) * (float(x(row, i)) - middle); }) /
          float(n);
      mean[row] = middle;
      rstd[row] = 1 / std::sqrt(variance + eps);
      for (int64 i = 0; i < n; ++i) {
        y(row, i) = T((float(x(row, i)) - middle) * rstd[row] * float(weight[i]) + float(bias[i]));
      }
    };
    parallel(rstd.size(), norm, 16);
  }
};
CUVEC_EXPORT(layer_norm);
