#include <cuvec.h>

using namespace cuvec;

template <class T> __global__ void nonzero_kernel(In<T> x, AtMost<int64> index) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    if (x[i] != T(0)) {
      index.push(i);
    }
  }
}

struct nonzero {
  static constexpr auto signature =
      "nonzero<T: float32, int32>(x: T(n)) -> index: int64(at most n)";
  static constexpr auto doc = "Where `x` is not zero, in no particular order.";

  template <class T> static void gpu(Call &call, In<T> x, AtMost<int64> index) {
    call.launch<nonzero_kernel<T>>(threads_for(x.size()), x, index);
  }
  template <class T> static void cpu(In<T> x, AtMost<int64> index) {
    parallel(x.size(), [=](int64 i) {
      if (x[i] != T(0)) {
        index.push(i);
      }
    });
  }
};
CUVEC_EXPORT(nonzero);
