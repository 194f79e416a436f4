#include <cuvec.h>

using namespace cuvec;

template <class T>
__host__ __device__ T weighted_at(In<T, 2> x, Tuple<int64, 2> stride, Tuple<T, 3> weights, int64 i,
                                  int64 j) {
  T sum = 0;
  for (int64 k = 0; k < weights.size(); ++k) {
    const int64 row = i * stride[0], column = j * stride[1] + k;
    sum += row < x.size(0) && column < x.size(1) ? weights[k] * x(row, column) : T(0);
  }
  return sum;
}

template <class T>
__global__ void weighted(In<T, 2> x, Tuple<int64, 2> stride, Tuple<T, 3> weights, Out<T, 2> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = weighted_at(x, stride, weights, i / y.size(1), i % y.size(1));
  }
}

struct strided_sums {
  static constexpr auto signature =
      "strided_sums<T: float32, float64>(x: T(m,n), stride: int64[2] = (1, 1), *, "
      "weights: T[3] = (1, 0.5, 0)) -> y: T(m,n)";
  static constexpr auto doc = "Sums of three neighbours, times `weights`, for each stride.";

  template <class T>
  static void gpu(Call &call, In<T, 2> x, Tuple<int64, 2> stride, Tuple<T, 3> weights,
                  Out<T, 2> y) {
    call.launch<weighted<T>>(threads_for(y.size()), x, stride, weights, y);
  }

  template <class T>
  static void cpu(In<T, 2> x, Tuple<int64, 2> stride, Tuple<T, 3> weights, Out<T, 2> y) {
    parallel(y.size(), [=](int64 i) {
      y[i] = weighted_at(x, stride, weights, i / y.size(1), i % y.size(1));
    });
  }
};
CUVEC_EXPORT(strided_sums);
