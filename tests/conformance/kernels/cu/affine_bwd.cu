#include <cuvec.h>

using namespace cuvec;

struct affine_bwd {
  static constexpr auto signature =
      "affine_bwd<T: float32, float64>(dy: T(...,n), x: T(...,n), weight: "
      "T(n), bias: T(n)?) -> "
      "dx: T(...,n), dweight: T(n), dbias: T(n)";
  static constexpr auto doc = "The gradients of `affine`.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> dy, RowIn<T> x, RowIn<T> weight, RowIn<T>,
                                      RowOut<T> dx, RowSum<T> dweight, RowSum<T> dbias) {
    row.each([&](Place i) {
      dx[i] = dy[i] * weight[i];
      dweight[i] += dy[i] * x[i];
      dbias[i] += dy[i];
    });
  }
};
CUVEC_EXPORT(affine_bwd);
