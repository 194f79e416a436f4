// Stencils: parameters of a function for each element, which read elements around it.
#pragma once

#include "view.h"

namespace cuvec::detail {

/// Where a function for each element reads an array: around that element, or anywhere.
template <class T, int Rank, class Beyond> class Near {
public:
  Near(const In<T, Rank> &array) : array_(array), center_() {}

  /// The element so many rows below and columns to the right; a distance for each dimension.
  template <class... D> __host__ __device__ T near(D... distances) const {
    static_assert(sizeof...(D) == Rank, "cuvec: a distance for each dimension of the array");
    const int64 all[] = {int64(distances)...};
    int64 at = 0;
    for (int axis = 0; axis < Rank; ++axis) {
      const int64 index = center_[axis] + all[axis], count = array_.shape[axis];
      at = at * count + (index < 0 || index >= count ? Beyond::inside(index, count) : index);
    }
    return array_.data[at];
  }

  /// The same around the element of these indices.
  __host__ __device__ Near around(const int64 *indices) const {
    Near moved = *this;
    for (int axis = 0; axis < Rank; ++axis) {
      moved.center_[axis] = indices[axis];
    }
    return moved;
  }

private:
  In<T, Rank> array_;
  int64 center_[Rank];
};

/// Replacements of indices beyond the array. The names are from `numpy.pad`.
struct BeyondEdge {
  static __host__ __device__ int64 inside(int64 index, int64 count) {
    return index < 0 ? 0 : count - 1;
  }
};
struct BeyondWrap {
  static __host__ __device__ int64 inside(int64 index, int64 count) {
    while (index < 0) {
      index += count; // no remainder: it is slow, and it is not far
    }
    while (index >= count) {
      index -= count;
    }
    return index;
  }
};

} // namespace cuvec::detail

namespace cuvec {

/// An array whose elements near the one of a call are read, `x.near(-1, 0)`: beyond an edge is the
/// element at the edge, or the array again.
template <class T, int Rank = 1> using Edge = detail::Near<T, Rank, detail::BeyondEdge>;
template <class T, int Rank = 1> using Wrap = detail::Near<T, Rank, detail::BeyondWrap>;

} // namespace cuvec
