#include <cuvec.h>

using namespace cuvec;

// At the edges the neighbour that is missing is the element itself.
template <class T> __host__ __device__ T laplacian_at(int64, int64, int64, Edge<T, 3> x) {
  return x.near(-1, 0, 0) + x.near(1, 0, 0) + x.near(0, -1, 0) + x.near(0, 1, 0) +
         x.near(0, 0, -1) + x.near(0, 0, 1) - 6 * x.near(0, 0, 0);
}

struct laplacian {
  static constexpr auto signature = "laplacian<T: float32, float64>(x: T(a,b,c)) -> y: T(a,b,c)";
  static constexpr auto doc = "Return the sum of the differences to the six neighbours.";

  template <class T> static void passes(Call &call, In<T, 3> x, Out<T, 3> y) {
    call.each<laplacian_at<T>>(y, x);
  }
};
CUVEC_EXPORT(laplacian);
