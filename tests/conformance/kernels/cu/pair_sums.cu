#include <cuvec.h>

using namespace cuvec;

template <class T> __host__ __device__ T pair_sum(In<T, 2> x, int64 i) {
  const int64 d = x.shape[1] / 2, row = i / d, at = i % d;
  return x(row, at) + x(row, at + d);
}

template <class T> __global__ void pair_sums_kernel(In<T, 2> x, Out<T, 2> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = pair_sum(x, i);
  }
}

struct pair_sums {
  static constexpr auto signature = "pair_sums<T: float32, float64>(x: T(...,2*d)) -> T(...,d)";
  static constexpr auto doc = "The sums of the first and the second half of each row.";

  template <class T> static void gpu(Call &call, In<T, 2> x, Out<T, 2> y) {
    call.launch<pair_sums_kernel<T>>(threads_for(y.size()), x, y);
  }
  template <class T> static void cpu(In<T, 2> x, Out<T, 2> y) {
    parallel(y.size(), [=](int64 i) { y[i] = pair_sum(x, i); });
  }
};
CUVEC_EXPORT(pair_sums);
