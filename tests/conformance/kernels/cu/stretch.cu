#include "particle.cuh"

__host__ __device__ inline double factor(const Grid3 &grid) {
  const double size = grid.periodic ? -double(grid.size) : double(grid.size);
  return grid.spacing[2] * double(grid.rotation[1][0]) * size;
}

struct stretch {
  static constexpr auto signature = "stretch(x: float64(...), grid: Grid3) -> y: float64(...)";
  static constexpr auto derivative = "dx = stretch(dy, grid)";
  static constexpr auto doc = "`x` times numbers of all kinds that are in a struct.";

  static __host__ __device__ void each(double x, const Grid3 &grid, double &y) {
    y = x * factor(grid);
  }
};
CUVEC_EXPORT(stretch);
