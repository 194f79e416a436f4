#include <cuvec.h>

using namespace cuvec;

struct sum_rows {
  static constexpr auto signature =
      "sum_rows<T: float32, bfloat16, int8>(x: T(...,n) rows, scale: float32(...)) "
      "-> largest: T(...), total: T(n), squares: float64(n)";
  static constexpr auto doc = "The largest element of each row, and sums over all rows.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, float scale, T &largest,
                                      RowSum<T> total, RowSum<double> squares) {
    largest = T(row.max([&](Place i) { return float(x[i]); }));
    row.each([&](Place i) {
      total[i] += scale * float(x[i]);
      squares[i] += double(x[i]) * double(x[i]);
    });
  }
};
CUVEC_EXPORT(sum_rows);
