#include <cuvec.h>

using namespace cuvec;

// One warp for each row.
template <class T> __global__ void softmax_rows(In<T, 2> x, Out<T, 2> y) {
  const int64 row = thread_index() / 32, lane = threadIdx.x % 32, n = x.size(1);
  if (row >= x.size(0)) {
    return;
  }
  float largest = -INFINITY, total = 0;
  for (int64 i = lane; i < n; i += 32) {
    largest = larger(largest, float(x(row, i)));
  }
  largest = __shfl_sync(~0U, warp_max(largest), 0);
  for (int64 i = lane; i < n; i += 32) {
    total += expf(float(x(row, i)) - largest);
  }
  total = __shfl_sync(~0U, warp_sum(total), 0);
  for (int64 i = lane; i < n; i += 32) {
    y(row, i) = T(expf(float(x(row, i)) - largest) / total);
  }
}

struct softmax {
  static constexpr auto signature = "softmax<T: float32, bfloat16>(x: T(...,n)) -> y: T(...,n)";
  static constexpr auto doc = "Return exp(x), divided by its sum over each row.";

  template <class T> static void gpu(Call &call, In<T, 2> x, Out<T, 2> y) {
    call.launch<softmax_rows<T>>(threads_for(32 * x.size(0)), x, y);
  }

  template <class T> static void cpu(In<T, 2> x, Out<T, 2> y) {
    const auto softmax_row = [=](int64 row) {
      float largest = -INFINITY;
      for (int64 i = 0; i < x.size(1); ++i) {
        largest = larger(largest, float(x(row, i)));
      }
      const auto power = [=](int64 i) { return expf(float(x(row, i)) - largest); };
      const float total = sum(0, x.size(1), power);
      for (int64 i = 0; i < x.size(1); ++i) {
        y(row, i) = T(power(i) / total);
      }
    };
    parallel(x.size(0), softmax_row, 16);
  }
};
CUVEC_EXPORT(softmax);
