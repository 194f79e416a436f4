#include <cuvec.h>

using namespace cuvec;

struct gemv {
  static constexpr auto signature = "gemv<T: float32, float64>(a: T(m,n), x: T(n)) -> y: T(m)";
  static constexpr auto doc = "Return the product of the matrix `a` and the vector `x`.";

  template <class T> static __host__ __device__ void row(Row &row, RowIn<T> a, RowIn<T> x, T &y) {
    y = row.sum([&](Place j) { return a[j] * x[j]; });
  }
};
CUVEC_EXPORT(gemv);
