// Code shared by host and GPU.
#pragma once

#include <cmath>

#include "fbp.h"

#ifdef __CUDACC__
#define FBP_BOTH __host__ __device__ inline
#else
#define FBP_BOTH inline
#endif

namespace fbp {

constexpr double pi = 3.14159265358979323846;

FBP_BOTH float angle_of(const Sizes &sizes, std::int64_t angle) {
  return float(pi * double(angle) / double(sizes.angles));
}

/// The middle of all bins or pixels.
FBP_BOTH float middle(std::int64_t count) { return 0.5F * float(count - 1); }

/// The integral of the ellipses along a ray.
FBP_BOTH float integral(const Ellipse *ellipses, std::int64_t n, const Geometry &geometry,
                        const Sizes &sizes, std::int64_t angle, std::int64_t bin) {
  const float turn = angle_of(sizes, angle);
  const float ray = (float(bin) - middle(sizes.bins) - geometry.axis) * geometry.bin_width;
  float sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const Ellipse &e = ellipses[i];
    const float along = e.a * std::cos(turn - e.angle), across = e.b * std::sin(turn - e.angle);
    const float width = along * along + across * across; // of its shadow, halved and squared
    const float away = ray - e.x * std::cos(turn) - e.y * std::sin(turn);
    const float inside = width - away * away;
    sum += inside > 0 ? 2 * e.density * e.a * e.b * std::sqrt(inside) / width : 0;
  }
  return sum;
}

/// Sum of the rays through a pixel; `stride` numbers are between the rows of the angles.
FBP_BOTH float gather(const float *filtered, std::int64_t stride, const float *directions,
                      const Geometry &geometry, const Sizes &sizes, std::int64_t row,
                      std::int64_t column) {
  const float scale = geometry.pixel_width / geometry.bin_width;
  const float x = (float(column) - middle(sizes.size)) * scale;
  const float y = (middle(sizes.size) - float(row)) * scale;
  float sum = 0;
  for (std::int64_t angle = 0; angle < sizes.angles; ++angle) {
    const float ray_of_pixel = x * directions[2 * angle] + y * directions[2 * angle + 1];
    const float at = ray_of_pixel + middle(sizes.bins) + geometry.axis;
    if (at >= 0 && at <= float(sizes.bins - 1)) {
      const auto left = std::int64_t(at);
      const float *ray = filtered + angle * stride + left;
      const float rest = at - float(left);
      sum += ray[0] + (rest > 0 ? rest * (ray[1] - ray[0]) : 0);
    }
  }
  return sum;
}

} // namespace fbp
