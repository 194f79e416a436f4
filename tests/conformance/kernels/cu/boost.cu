#include "particle.cuh"

struct boost {
  static constexpr auto signature = "boost(p: Particle(...), by: float32) -> q: Particle(...)";
  static constexpr auto doc = "The same particles with more energy.";

  static __host__ __device__ void each(Particle p, float by, Particle &q) {
    q = p;
    q.energy += by;
  }
};
CUVEC_EXPORT(boost);
