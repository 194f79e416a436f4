// Arrays whose declaration says `strided` or `rows`, as bodies and kernels see them.
#pragma once

#include "view.h"

namespace cuvec {

/// Elements with a shape and strides: `v(i, j)` is one by its indices, and `v[i]` one in the order
/// of C, which takes divisions where there are several dimensions.
/// The last stride is 1 for `Rows`, which the compiler knows.
template <class T, int Rank, class Layout> struct View : detail::Shaped<T, Rank> {
  int64 strides[Rank > 0 ? Rank : 1];

  using detail::Shaped<T, Rank>::data;
  using detail::Shaped<T, Rank>::shape;

  /// Elements from one to the next along an axis.
  __host__ __device__ int64 stride(int axis) const {
    return std::is_same_v<Layout, Rows> && axis == Rank - 1 ? 1 : strides[axis];
  }

  __host__ __device__ T &operator[](detail::Index index) const {
    int64 i = detail::within(index, this->size(), index), at = 0;
    for (int axis = Rank - 1; axis > 0; --axis) {
      at += i % shape[axis] * stride(axis);
      i /= shape[axis];
    }
    return data[at + i * stride(0)];
  }

  template <class... I> __host__ __device__ T &operator()(detail::Index first, I... others) const {
    static_assert(1 + sizeof...(I) == Rank, "cuvec: as many indices as the array has dimensions");
    int64 at = detail::within(first, shape[0], first) * stride(0);
    int axis = 1;
    ((at += detail::within(int64(others), shape[axis], first) * stride(axis), ++axis), ...);
    return data[at];
  }

  template <class U, class = detail::IfReadable<T, U>>
  __host__ __device__ operator View<U, Rank, Layout>() const {
    static_assert(std::is_const_v<U>, "cuvec: an In cannot become an Out");
    View<U, Rank, Layout> view{this->read_only(), {}};
    for (int axis = 0; axis < (Rank > 0 ? Rank : 1); ++axis) {
      view.strides[axis] = strides[axis];
    }
    return view;
  }
};

} // namespace cuvec
