// Stencils: parameters of a function for each element, which read elements around it.
#pragma once

#include "view.h"

namespace cuvec::detail {

/// Where a function for each element reads an array: around that element, or anywhere.
template <class T, int Rank, class Beyond> class Near {
public:
  Near(const In<T, Rank> &array) : array_(array), element_(array.data), center_() {}

  /// The element so many rows below and columns to the right; a distance for each dimension.
  template <class... D> __host__ __device__ T near(D... distances) const {
    static_assert(sizeof...(D) == Rank, "cuvec: a distance for each dimension of the array");
    const int64 all[] = {int64(distances)...};
    int64 at = 0, step = 1;
    for (int axis = Rank - 1; axis >= 0; --axis) {
      at += Beyond::inside(center_[axis], all[axis], array_.shape[axis]) * step;
      step *= array_.shape[axis];
    }
    return element_[at];
  }

  /// The same around the element of these indices.
  __host__ __device__ Near around(const int64 *indices) const {
    Near moved = *this;
    int64 at = 0;
    for (int axis = 0; axis < Rank; ++axis) {
      moved.center_[axis] = indices[axis];
      at = at * array_.shape[axis] + indices[axis];
    }
    moved.element_ += at;
    return moved;
  }

private:
  In<T, Rank> array_;
  const T *element_;
  int64 center_[Rank];
};

/// Replacements of elements beyond the array, as the distance from an index to another of `count`.
/// The names are from `numpy.pad`.
struct BeyondEdge {
  static __host__ __device__ int64 inside(int64 center, int64 distance, int64 count) {
    if (distance < 0) {
      return center + distance < 0 ? -center : distance;
    }
    return distance > 0 && center + distance >= count ? count - 1 - center : distance;
  }
};
struct BeyondWrap {
  static __host__ __device__ int64 inside(int64 center, int64 distance, int64 count) {
    while (center + distance < 0) { // no remainder: it is slow, and it is not far
      distance += count;
    }
    while (center + distance >= count) {
      distance -= count;
    }
    return distance;
  }
};

} // namespace cuvec::detail

namespace cuvec {

/// An array whose elements near the one of a call are read, `x.near(-1, 0)`: beyond an edge is the
/// element at the edge, or the array again.
template <class T, int Rank = 1> using Edge = detail::Near<T, Rank, detail::BeyondEdge>;
template <class T, int Rank = 1> using Wrap = detail::Near<T, Rank, detail::BeyondWrap>;

} // namespace cuvec
