#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline double row_sum(In<double, 3> x, int64 row) {
  double sum = 0;
  for (int64 i = 0; i < x.shape[1]; ++i) {
    for (int64 j = 0; j < x.shape[2]; ++j) {
      sum += x(row, i, j);
    }
  }
  return sum;
}

__global__ void row_sums_kernel(In<double, 3> x, Out<double> y) {
  for (int64 row = thread_index(); row < y.size(); row += thread_count()) {
    y[row] += row_sum(x, row);
  }
}

struct row_sums {
  static constexpr auto signature = "row_sums(x: float64(...,m,3), y: inout float64(...))";
  static constexpr auto doc = "Add to `y` the sums over the last two dimensions of `x`.";

  static void gpu(Call &call, In<double, 3> x, Out<double> y) {
    call.launch<row_sums_kernel>(threads_for(y.size()), x, y);
  }
  static void cpu(In<double, 3> x, Out<double> y) {
    parallel(y.size(), [=](int64 row) { y[row] += row_sum(x, row); });
  }
};
CUVEC_EXPORT(row_sums);
