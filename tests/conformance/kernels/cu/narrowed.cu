#include <cuvec.h>

using namespace cuvec;

// Code that exists counts by `int n`.
template <class N> __global__ void put_number(N n, Out<N> y) { *y.data = n; }

struct narrowed {
  static constexpr auto signature =
      "narrowed<T: int32, uint8, uint64>(n: int64, dtype: dtype(T)) -> y: T(1)";
  static constexpr auto doc = "Return `n` as it comes in a kernel with a parameter of that dtype.";

  template <class T> static void gpu(Call &call, int64 n, Out<T> y) {
    call.launch<put_number<T>>(Grid(1, 1), n, y);
  }
  template <class T> static void cpu(Call &call, int64 n, Out<T> y) { gpu<T>(call, n, y); }
};
CUVEC_EXPORT(narrowed);
