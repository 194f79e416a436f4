#include <cuvec.h>

using namespace cuvec;

struct gate_rows {
  static constexpr auto signature =
      "gate_rows<T: float32, bfloat16>(x: T(...,2*n), weight: T(n), table: float32(m), "
      "which: int32(...), calls: inout int64(...), shift: T(...)? = None, bias: T(n)? = None) -> "
      "y: T(...,n)";
  static constexpr auto doc = "The products of the halves of each row, weighted and shifted.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, RowIn<T> weight, In<float> table,
                                      int which, int64 &calls, const T *shift, RowIn<T> bias,
                                      RowOut<T> y) {
    row.fail_if(which < 0 || which >= table.size(), "no such place in the table");
    calls += row.index() + 1;
    const float scale = table[which], more = shift != nullptr ? float(*shift) : 0;
    row.each([&](Place i) {
      const float product = float(x[i]) * float(x[i + row.size()]) * float(weight[i]);
      y[i] = T(product * scale + more + (bias ? float(bias[i]) : 0));
    });
  }
};
CUVEC_EXPORT(gate_rows);
