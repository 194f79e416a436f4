#include "particle.cuh"

using namespace cuvec;

__host__ __device__ inline Particle spawned(int64 i, float energy, const Grid3 &grid) {
  const int64 at = grid.periodic ? i % grid.size : i;
  Particle p{{}, energy, std::int32_t(i)};
  for (int axis = 0; axis < 3; ++axis) {
    p.pos[axis] = float(double(at) * grid.spacing[axis]) + grid.rotation[1][0];
  }
  return p;
}

__global__ void spawn_kernel(In<float> energy, Grid3 grid, Out<Particle> p) {
  for (int64 i = thread_index(); i < p.size(); i += thread_count()) {
    p[i] = spawned(i, energy[i], grid);
  }
}

struct spawn {
  static constexpr auto signature = "spawn(energy: float32(n), grid: Grid3) -> p: Particle(n)";
  static constexpr auto doc =
      "Particles of these energies, one behind the other on the diagonal of a grid.";

  static void gpu(Call &call, In<float> energy, Grid3 grid, Out<Particle> p) {
    call.launch<spawn_kernel>(threads_for(p.size()), energy, grid, p);
  }
  static void cpu(In<float> energy, Grid3 grid, Out<Particle> p) {
    parallel(p.size(), [=](int64 i) { p[i] = spawned(i, energy[i], grid); });
  }
};
CUVEC_EXPORT(spawn);
