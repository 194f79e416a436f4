#include <cuvec.h>

using namespace cuvec;

struct row_extremes {
  static constexpr auto signature =
      "row_extremes<T: float32, bfloat16, float64, int32>(x: T(...,n)) -> total: float64(...), "
      "least: T(...), most: T(...), first: int64(...), product: float64(...)";
  static constexpr auto doc = "What can be said of each row of `x`.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, double &total, T &least, T &most,
                                      int64 &first, double &product) {
    total = row.sum([&](Place i) { return double(x[i]); });
    least = T(row.min([&](Place i) { return x[i]; }));
    most = T(row.max([&](Place i) { return x[i]; }));
    first = row.argmax([&](Place i) { return x[i]; });
    const auto times = [](double a, double b) { return a * b; };
    product = row.reduce(1.0, [&](Place i) { return double(x[i]) > 0 ? -1.0 : 1.0; }, times);
  }
};
CUVEC_EXPORT(row_extremes);
