// Arrays as bodies and kernels see them.
#pragma once

#include <cstdint>
#include <type_traits>

namespace cuvec {

using int64 = std::int64_t;

/// What a declaration says of how elements lie in memory: nothing, `rows` or `strided`.
struct Contiguous {};
struct Rows {};
struct Strided {};

template <class T, int Rank = 1, class Layout = Contiguous> struct View;

/// C-contiguous elements with a shape: `v[i]` is an element in memory order, `v(i, j)` one by its
/// indices, `*v` the element of a 0-d array. Nothing is checked on the way.
template <class T, int Rank> struct View<T, Rank, Contiguous> {
  T *data;
  int64 shape[Rank > 0 ? Rank : 1];

  /// Number of elements.
  __host__ __device__ int64 size() const {
    int64 n = 1;
    for (int axis = 0; axis < Rank; ++axis) {
      n *= shape[axis];
    }
    return n;
  }

  /// Extent of an axis.
  __host__ __device__ int64 size(int axis) const { return shape[axis]; }

  __host__ __device__ T &operator*() const { return *data; }
  __host__ __device__ T &operator[](int64 i) const { return data[i]; }

  template <class... I> __host__ __device__ T &operator()(I... indices) const {
    static_assert(sizeof...(I) == Rank, "cuvec: as many indices as the array has dimensions");
    int64 at = 0;
    int axis = 0;
    ((at = at * shape[axis++] + int64(indices)), ...);
    return data[at];
  }

  /// An array that is written can be read; never the other way round.
  template <class U,
            class = std::enable_if_t<std::is_same_v<const U, const T> && !std::is_same_v<U, T>>>
  __host__ __device__ operator View<U, Rank>() const {
    static_assert(std::is_const_v<U>, "cuvec: an In cannot become an Out");
    View<U, Rank> view{data, {}};
    for (int axis = 0; axis < (Rank > 0 ? Rank : 1); ++axis) {
      view.shape[axis] = shape[axis];
    }
    return view;
  }
};

/// An array that is read: `x: T(n)`, or with any shape as one row of elements `x: T(...)`.
template <class T, int Rank = 1, class Layout = Contiguous> using In = View<const T, Rank, Layout>;

/// An array that is written: `inout`, `out` and results.
template <class T, int Rank = 1, class Layout = Contiguous> using Out = View<T, Rank, Layout>;

} // namespace cuvec
