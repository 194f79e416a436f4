// Textures: arrays that are read between their elements.
//
//     const Texture2<float> image(a); // linear, and `clamp`
//     image.at(x, y);                 // a(0, 0) has its centre at 0.5, 0.5, and x goes along rows
//
// They have the coordinates of CUDA's own textures, and are made of a view, which takes no time and
// no memory, so that every call may make one, in a CUDA graph too. What they return has the same
// bits on the CPU and on the GPU: weights are of T, and every product and sum is rounded by
// itself. (Texture units have 8 bits for a weight, which no CPU does at that speed. Both read
// through one cache.)
#pragma once

#include <cmath>

#include "view.h"

namespace cuvec {

enum class Filter {
  linear, // between elements, the weighted sum of the 4 or 8 around
  nearest // the element that the coordinates are in
};

/// Values beyond the last elements.
enum class Beyond {
  clamp, // the nearest element
  border // zeros
};

/// a + t * (b - a), without a fused multiplication and addition, which not all CPUs have.
__host__ __device__ inline float interpolated(float a, float b, float t) {
#ifdef __CUDA_ARCH__
  return __fadd_rn(a, __fmul_rn(t, __fsub_rn(b, a)));
#else
  return a + t * (b - a);
#endif
}
__host__ __device__ inline double interpolated(double a, double b, double t) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(a, __dmul_rn(t, __dsub_rn(b, a)));
#else
  return a + t * (b - a);
#endif
}

/// An array of `Rank` dimensions as a texture.
template <class T, int Rank, Filter filter, Beyond beyond> class Texture {
  static_assert(filter == Filter::nearest || !std::is_integral_v<T>,
                "cuvec: only numbers with a point have any between them; use Filter::nearest");

public:
  /// Types of coordinates, and of values between elements.
  using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
  using Value = std::conditional_t<filter == Filter::linear, Real, T>;

  __host__ __device__ explicit Texture(View<const T, Rank> array) : array_(array) {}

  /// The value at coordinates, the last axis' first.
  template <class... X> __host__ __device__ Value at(X... coordinates) const {
    static_assert(sizeof...(X) == Rank, "cuvec: as many coordinates as the texture has dimensions");
    const Real x[] = {Real(coordinates)...};
    if (array_.size() == 0) {
      return Value();
    }
    return along<Rank>(x, 0, true);
  }

private:
  /// The value at the coordinates of `Left` axes, in the row that begins at `from`.
  template <int Left>
  __host__ __device__ Value along(const Real *x, int64 from, bool is_inside) const {
    if constexpr (Left == 0) {
      return beyond == Beyond::clamp || is_inside ? Value(array_.data[from]) : Value();
    } else {
      const int64 size = array_.shape[Rank - Left];
      const Real place = x[Left - 1] - (filter == Filter::linear ? Real(0.5) : Real(0));
      const Real floored = std::floor(place);
      const int64 first = index(floored, size);
      const auto value = [&](int64 i) {
        const int64 last = size - 1, clamped = i < 0 ? 0 : i > last ? last : i;
        return along<Left - 1>(x, from * size + clamped, is_inside && i == clamped);
      };
      if constexpr (filter == Filter::linear) {
        const Real weight = floored == place ? Real(0) : place - floored; // of infinity, too
        return interpolated(value(first), value(first + 1), weight);
      } else {
        return value(first);
      }
    }
  }

  /// As an integer: of what is far away, and of what is not a number, one that is beyond.
  static __host__ __device__ int64 index(Real floored, int64 size) {
    return floored >= Real(size) ? size : floored >= Real(-2) ? int64(floored) : int64(-2);
  }

  View<const T, Rank> array_;
};

template <class T, Filter filter = Filter::linear, Beyond beyond = Beyond::clamp>
using Texture2 = Texture<T, 2, filter, beyond>;
template <class T, Filter filter = Filter::linear, Beyond beyond = Beyond::clamp>
using Texture3 = Texture<T, 3, filter, beyond>;

} // namespace cuvec
