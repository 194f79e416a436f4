#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline void rotate_point(In<float, 2> matrix, Out<float, 2> points, int64 i) {
  const float point[3] = {points(i, 0), points(i, 1), points(i, 2)};
  for (int64 row = 0; row < 3; ++row) {
    points(i, row) =
        matrix(row, 0) * point[0] + matrix(row, 1) * point[1] + matrix(row, 2) * point[2];
  }
}

__global__ void rotate_all(In<float, 2> matrix, Out<float, 2> points) {
  for (int64 i = thread_index(); i < points.size(0); i += thread_count()) {
    rotate_point(matrix, points, i);
  }
}

struct rotate {
  static constexpr auto signature = "rotate(matrix: float32(3, 3), points: inout float32(n, 3))";
  static constexpr auto doc = "Multiply every point by the matrix: extents that are numbers.";

  static void gpu(Call &call, In<float, 2> matrix, Out<float, 2> points) {
    call.launch<rotate_all>(threads_for(points.size(0)), matrix, points);
  }
  static void cpu(In<float, 2> matrix, Out<float, 2> points) {
    parallel(points.size(0), [=](int64 i) { rotate_point(matrix, points, i); });
  }
};
CUVEC_EXPORT(rotate);
