#include "particle.cuh"

struct stretched {
  static constexpr auto signature = "stretched(x: inout float64(...), *, grid: Grid3)";
  static constexpr auto doc = "`x` times the last spacing of a grid, in place.";

  static __host__ __device__ void each(double &x, const Grid3 &grid) { x *= grid.spacing[2]; }
};
CUVEC_EXPORT(stretched);
