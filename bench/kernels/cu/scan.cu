#include <cuvec.h>

using namespace cuvec;

struct scan {
  static constexpr auto signature = "scan<T: float32, float64, int64>(x: T(...,n)) -> y: T(...,n)";
  static constexpr auto doc = "Return the cumulative sums of each row.";

  template <class T> static __host__ __device__ void row(Row &row, RowIn<T> x, RowOut<T> y) {
    const auto add = [](T a, T b) { return a + b; };
    row.scan(T(), [&](Place i) { return x[i]; }, add, [&](Place i, T sum) { y[i] = sum; });
  }
};
CUVEC_EXPORT(scan);
