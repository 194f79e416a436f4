#include <cuvec.h>

using namespace cuvec;

template <class T> __host__ __device__ T of_line(int64, Wrap<T> x) {
  return x.near(-1) + x.near(1) - 2 * x.near(0);
}

template <class T> __host__ __device__ T of_cube(int64, int64, int64, Edge<T, 3> x) {
  return x.near(-1, 0, 0) + x.near(1, 0, 0) + x.near(0, -1, 0) + x.near(0, 1, 0) +
         x.near(0, 0, -1) + x.near(0, 0, 1) - 6 * x.near(0, 0, 0);
}

struct laplace {
  static constexpr auto signature = "laplace<T: float32, float64>(line: T(n), cube: T(p, h, w)) -> "
                                    "line_d: T(n), cube_d: T(p, h, w)";
  static constexpr auto doc =
      "Return the second differences of an array of one dimension and of one of three.";

  template <class T>
  static void passes(Call &call, In<T> line, In<T, 3> cube, Out<T> line_d, Out<T, 3> cube_d) {
    call.each<of_line<T>>(line_d, line);
    call.each<of_cube<T>>(cube_d, cube);
  }
};
CUVEC_EXPORT(laplace);
