#include "particle.cuh"

struct push {
  static constexpr auto signature = "push(p: inout Particle(...), dt: float32)";
  static constexpr auto doc = "Move particles up, which takes energy.";

  static __host__ __device__ void each(Particle &p, float dt) {
    p.pos[2] += dt;
    p.energy -= dt;
  }
};
CUVEC_EXPORT(push);
