// The structs of `boost`, `push` and `spawn`.
#pragma once

#include <cuvec.h>

struct Particle {
  float pos[3];
  float energy;
  std::int32_t id;
};
CUVEC_STRUCT(Particle, pos, energy, id);

/// Wider than a scalar, with a hole behind `periodic`, and with an array of two axes.
struct Grid3 {
  double spacing[3];
  float rotation[2][2];
  std::uint8_t periodic;
  std::int64_t size;
};
CUVEC_STRUCT(Grid3, spacing, rotation, periodic, size);
