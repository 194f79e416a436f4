#include <cuvec.h>

using namespace cuvec;

__global__ void add_row(In<float, 2> x, Out<float> y) {
  for_block(y.size(), [=](int64 i) { atomic_add(y[i], x(int64(blockIdx.x), i)); });
}

struct column_sums {
  static constexpr auto signature = "column_sums(x: float32(m,n)) -> y: float32(n)";
  static constexpr auto doc =
      "Return the sums of the columns of `x`, a block of threads for each row.";

  static void gpu(Call &call, In<float, 2> x, Out<float> y) {
    call.zero(y);
    call.launch<add_row>(Grid(x.size(0), 64), x, y);
  }
  static void cpu(Call &call, In<float, 2> x, Out<float> y) {
    call.zero(y);
    for (int64 i = 0; i < x.size(); ++i) {
      y[i % y.size()] += x[i];
    }
  }
};
CUVEC_EXPORT(column_sums);
