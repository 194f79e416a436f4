#include <cuvec.h>

using namespace cuvec;

template <class T> __host__ __device__ T sum_around(int64, int64, Edge<T, 2> x, Wrap<T, 2> y) {
  return x.near(-1, 0) + x.near(1, -1) + x.near(0, 0) + y.near(-2, 2) + y.near(2, 1);
}

struct around {
  static constexpr auto signature = "around<T: float32, complex128>(x: T(height, width), "
                                    "y: T(height, width)) -> sum: T(height, width)";
  static constexpr auto doc = "The sum of elements that are near: beyond the edges of `x` is what "
                              "is at the edge, beyond the "
                              "edges of `y` is `y` again.";

  template <class T> static void passes(Call &call, In<T, 2> x, In<T, 2> y, Out<T, 2> sum) {
    call.each<sum_around<T>>(sum, x, y);
  }
};
CUVEC_EXPORT(around);
