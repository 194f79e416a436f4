#include <cuvec.h>

using namespace cuvec;

enum class ReduceRowsHow { sum, max_ };

template <class T>
__host__ __device__ T reduce_row(In<T, 2> x, int64 row, ReduceRowsHow how, bool negate) {
  T value = x(row, 0);
  for (int64 i = 1; i < x.size(1); ++i) {
    const T next = x(row, i);
    value = how == ReduceRowsHow::sum ? value + next : value < next ? next : value;
  }
  return negate ? -value : value;
}

template <class T>
__global__ void reduce_rows_kernel(In<T, 2> x, ReduceRowsHow how, bool negate, Out<T> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = reduce_row(x, i, how, negate);
  }
}

struct reduce_rows {
  static constexpr auto signature =
      "reduce_rows<T: float32, int32>(x: T(m,n), how: {\"sum\", \"max\"}, negate: bool = False) -> "
      "y: T(m)";
  static constexpr auto doc = "The sum or the largest element of each row.";

  template <class T>
  static void gpu(Call &call, In<T, 2> x, ReduceRowsHow how, bool negate, Out<T> y) {
    call.launch<reduce_rows_kernel<T>>(threads_for(y.size()), x, how, negate, y);
  }

  template <class T> static void cpu(In<T, 2> x, ReduceRowsHow how, bool negate, Out<T> y) {
    parallel(y.size(), [=](int64 i) { y[i] = reduce_row(x, i, how, negate); });
  }
};
CUVEC_EXPORT(reduce_rows);
