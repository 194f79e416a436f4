// Arrays and tuples as bodies and kernels see them.
#pragma once

#include <type_traits>

#include "bounds.h"

namespace cuvec {

/// Layouts of elements in memory by a declaration: none, `rows` or `strided`.
struct Contiguous {};
struct Rows {};
struct Strided {};

namespace detail {

/// Elements and their shape, however they lie in memory.
template <class T, int Rank> struct Shaped {
  T *data;
  int64 shape[Rank > 0 ? Rank : 1];

  /// Number of elements.
  __host__ __device__ int64 size() const {
    int64 n = int64(Rank > 0 || data != nullptr); // a 0-d one may be None, too
    for (int axis = 0; axis < Rank; ++axis) {
      n *= shape[axis];
    }
    return n;
  }

  /// Extent of an axis.
  __host__ __device__ int64 size(int axis) const { return shape[axis]; }

  __host__ __device__ explicit operator bool() const { return data != nullptr; }
  __host__ __device__ T &operator*() const { return *data; }

  /// The same as something that is only read.
  __host__ __device__ Shaped<const T, Rank> read_only() const {
    Shaped<const T, Rank> same{data, {}};
    for (int axis = 0; axis < (Rank > 0 ? Rank : 1); ++axis) {
      same.shape[axis] = shape[axis];
    }
    return same;
  }
};

/// An array that is written can be read; never the other way round.
template <class T, class U>
using IfReadable = std::enable_if_t<std::is_same_v<const U, const T> && !std::is_same_v<U, T>>;

} // namespace detail

template <class T, int Rank = 1, class Layout = Contiguous> struct View;

/// C-contiguous elements with a shape: `v[i]` is an element in memory order, `v(i, j)` one by its
/// indices, `*v` the element of a 0-d array. Nothing is checked on the way, but in a build with
/// DEBUG. `if (v)` holds unless it is an optional array that is None, of size 0.
template <class T, int Rank> struct View<T, Rank, Contiguous> : detail::Shaped<T, Rank> {
  using detail::Shaped<T, Rank>::data;
  using detail::Shaped<T, Rank>::shape;

  __host__ __device__ T &operator[](detail::Index i) const {
    return data[detail::within(i, this->size(), i)];
  }

  template <class... I> __host__ __device__ T &operator()(detail::Index first, I... others) const {
    static_assert(1 + sizeof...(I) == Rank, "cuvec: as many indices as the array has dimensions");
    int64 at = detail::within(first, shape[0], first);
    int axis = 1;
    ((at = at * shape[axis] + detail::within(int64(others), shape[axis], first), ++axis), ...);
    return data[at];
  }

  template <class U, class = detail::IfReadable<T, U>>
  __host__ __device__ operator View<U, Rank>() const {
    static_assert(std::is_const_v<U>, "cuvec: an In cannot become an Out");
    return {this->read_only()};
  }
};

/// An array whose declaration says `strided` or `rows`: `v(i, j)` is one by its indices, and `v[i]`
/// one in the order of C, which takes divisions where there are several dimensions.
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

/// An array that is read: `x: T(n)`, or with any shape as one row of elements `x: T(...)`.
template <class T, int Rank = 1, class Layout = Contiguous> using In = View<const T, Rank, Layout>;

/// An array that is written: `inout`, `out` and results.
template <class T, int Rank = 1, class Layout = Contiguous> using Out = View<T, Rank, Layout>;

/// A few scalars, such as `stride: int64[2] = (1, 1)`: a std::array that kernels can use.
template <class T, int N> struct Tuple {
  T item[N];

  __host__ __device__ const T &operator[](int64 i) const { return item[i]; }
  __host__ __device__ static constexpr int64 size() { return N; }
  __host__ __device__ const T *begin() const { return item; }
  __host__ __device__ const T *end() const { return item + N; }
};

} // namespace cuvec
