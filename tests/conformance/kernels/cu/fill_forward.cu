#include <cuvec.h>

using namespace cuvec;

struct fill_forward {
  static constexpr auto signature =
      "fill_forward<T: float64, int32, float16>(x: T(...,n)) -> y: T(...,n)";
  static constexpr auto doc = "Return `x`, with the last other value of the row for each zero.";

  template <class T> static __host__ __device__ void row(Row &row, RowIn<T> x, RowOut<T> y) {
    const auto last = [](T before, T next) { return next != T(0) ? next : before; };
    row.scan(T(0), [&](Place i) { return x[i]; }, last, [&](Place i, T value) { y[i] = value; });
  }
};
CUVEC_EXPORT(fill_forward);
