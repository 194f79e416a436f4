#include <cuvec.h>

using namespace cuvec;

struct center_rows {
  static constexpr auto signature = "center_rows<T: float32, int8>(x: inout T(...,n) rows, "
                                    "*, rounds: int64 = 1) -> y: float32(...,n)";
  static constexpr auto doc = "Subtract from each row of `x` its first element, again and again.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowOut<T> x, int64 rounds, RowOut<float> y) {
    row.each([&](Place i) { y[i] = 0; });
    for (int64 k = 0; k < rounds; ++k) {
      const auto is_first = [&](Place i) { return i == 0 ? float(x[i]) : 0; };
      const float first = row.sum(is_first);
      row.each([&](Place i) {
        x[i] = T(float(x[i]) - first + 1);
        y[i] += float(x[i]);
      });
    }
  }
};
CUVEC_EXPORT(center_rows);
