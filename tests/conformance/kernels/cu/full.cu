#include <cuvec.h>

using namespace cuvec;

template <class D> __global__ void full_kernel(D value, Out<D> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = value;
  }
}

struct full {
  static constexpr auto signature =
      "full<D: float64, int32, complex64>(dtype: D = float64, n: int64 = 3, value: D = 1) -> D(n)";
  static constexpr auto doc =
      "Return `n` elements that are `value`, of the dtype that is asked for.";

  template <class D> static void gpu(Call &call, int64, D value, Out<D> y) {
    call.launch<full_kernel<D>>(threads_for(y.size()), value, y);
  }
  template <class D> static void cpu(int64, D value, Out<D> y) {
    for (int64 i = 0; i < y.size(); ++i) {
      y[i] = value;
    }
  }
};
CUVEC_EXPORT(full);
