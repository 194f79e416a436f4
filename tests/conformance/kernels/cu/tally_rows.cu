#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline float row_sum(In<float, 2> x, int64 i) {
  float sum = 0;
  for (int64 j = 0; j < x.size(1); ++j) {
    sum += x(i, j);
  }
  return sum;
}

__host__ __device__ inline void tally_row(In<float, 2> x, Out<float> sums, Out<int64> counts,
                                          int64 i) {
  if (sums) {
    sums[i] += row_sum(x, i);
  }
  if (counts) {
    counts[i] += x.size(1);
  }
}

__global__ void tally_rows_kernel(In<float, 2> x, Out<float> sums, Out<int64> counts) {
  for (int64 i = thread_index(); i < x.size(0); i += thread_count()) {
    tally_row(x, sums, counts, i);
  }
}

struct tally_rows {
  static constexpr auto signature =
      "tally_rows(x: float32(m, n), sums: inout float32(m)?, *, counts: inout int64(m)? = None)";
  static constexpr auto doc = "Add the sums of rows to `sums`, and their lengths to `counts`.";

  static void gpu(Call &call, In<float, 2> x, Out<float> sums, Out<int64> counts) {
    call.launch<tally_rows_kernel>(threads_for(x.size(0)), x, sums, counts);
  }
  static void cpu(In<float, 2> x, Out<float> sums, Out<int64> counts) {
    for (int64 i = 0; i < x.size(0); ++i) {
      tally_row(x, sums, counts, i);
    }
  }
};
CUVEC_EXPORT(tally_rows);
