#include <cuvec.h>

using namespace cuvec;

template <class T> __global__ void squares_bwd_all(In<double, 0> dtotal, In<T> x, Out<T> dx) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    dx[i] = T(2 * *dtotal * double(x[i]));
  }
}

struct squares_bwd {
  static constexpr auto signature =
      "squares_bwd<T: float32, float64>(dtotal: float64(), x: T(...)) -> dx: T(...)";
  static constexpr auto doc = "The gradient of `squares`.";

  template <class T> static void gpu(Call &call, In<double, 0> dtotal, In<T> x, Out<T> dx) {
    call.launch<squares_bwd_all<T>>(threads_for(x.size()), dtotal, x, dx);
  }
  template <class T> static void cpu(In<double, 0> dtotal, In<T> x, Out<T> dx) {
    parallel(x.size(), [=](int64 i) { dx[i] = T(2 * *dtotal * double(x[i])); });
  }
};
CUVEC_EXPORT(squares_bwd);
