#include <cuvec.h>

using namespace cuvec;

template <class T>
__global__ void dot_bwd_all(In<double, 0> d, In<T> x, In<T> y, Out<T> dx, Out<T> dy) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    dx[i] = T(*d) * y[i];
    dy[i] = T(*d) * x[i];
  }
}

struct dot_bwd {
  static constexpr auto signature = "dot_bwd<T: float32, float64>(dtotal: float64(), x: T(...), "
                                    "y: T(...)) -> dx: T(...), dy: T(...)";
  static constexpr auto doc = "The gradients of `dot`.";

  template <class T>
  static void gpu(Call &call, In<double, 0> d, In<T> x, In<T> y, Out<T> dx, Out<T> dy) {
    call.launch<dot_bwd_all<T>>(threads_for(x.size()), d, x, y, dx, dy);
  }
  template <class T> static void cpu(In<double, 0> d, In<T> x, In<T> y, Out<T> dx, Out<T> dy) {
    parallel(x.size(), [=](int64 i) {
      dx[i] = T(*d) * y[i];
      dy[i] = T(*d) * x[i];
    });
  }
};
CUVEC_EXPORT(dot_bwd);
