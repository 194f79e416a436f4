#include <cuvec.h>

using namespace cuvec;

struct argmax {
  static constexpr auto signature =
      "argmax<T: float32, float64, int32>(x: T(...,n)) -> index: int64(...)";
  static constexpr auto doc = "Return where in each row the first of its largest elements is.";

  template <class T> static __host__ __device__ void row(Row &row, RowIn<T> x, int64 &index) {
    row.fail_if(row.size() == 0, "rows are empty");
    index = row.argmax([&](Place i) { return x[i]; });
  }
};
CUVEC_EXPORT(argmax);
