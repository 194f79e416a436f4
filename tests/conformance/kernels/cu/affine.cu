#include <cuvec.h>

using namespace cuvec;

template <class T>
__host__ __device__ T affine_at(In<T, 2> x, In<T> weight, In<T> bias, int64 row, int64 column) {
  const T value = x(row, column) * weight[column];
  return bias ? value + bias[column] : value;
}

template <class T>
__global__ void affine_kernel(In<T, 2> x, In<T> weight, In<T> bias, Out<T, 2> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = affine_at(x, weight, bias, i / y.size(1), i % y.size(1));
  }
}

struct affine {
  static constexpr auto signature = "affine<T: float32, float64>(x: T(...,n), weight: T(n), "
                                    "bias: T(n)? = None) -> y: T(...,n)";
  static constexpr auto derivative = "dx, dweight, dbias = affine_bwd(dy, x, weight, bias)";
  static constexpr auto doc = "Rows of `x` times `weight`, plus `bias` if there is one.";

  template <class T>
  static void gpu(Call &call, In<T, 2> x, In<T> weight, In<T> bias, Out<T, 2> y) {
    call.launch<affine_kernel<T>>(threads_for(y.size()), x, weight, bias, y);
  }

  template <class T> static void cpu(In<T, 2> x, In<T> weight, In<T> bias, Out<T, 2> y) {
    parallel(y.size(),
             [=](int64 i) { y[i] = affine_at(x, weight, bias, i / y.size(1), i % y.size(1)); });
  }
};
CUVEC_EXPORT(affine);
