#include <cuvec.h>

using namespace cuvec;

struct tally {
  static constexpr auto signature = "tally(x: float64(n), rows: int64, columns: int64) -> float64";
  static constexpr auto doc = "The sum of `x`, through scratch memory of so many elements.";

  static void gpu(Call &call, In<double> /*x*/, int64 rows, int64 columns, Out<double, 0> sum) {
    call.scratch<double>(rows, columns);
    call.zero(sum);
  }
  static void cpu(Call &call, In<double> x, int64 rows, int64 columns, Out<double, 0> sum) {
    Out<double, 2> copy = call.scratch<double>(rows, columns);
    *sum = 0;
    for (int64 i = 0; i < x.size(); ++i) {
      copy[i] = x[i];
      *sum += copy[i];
    }
  }
};
CUVEC_EXPORT(tally);
