// Arrays as bodies and kernels see them.
#pragma once

#include <type_traits>

#include "bounds.h"

#ifdef _MSC_VER
#include <intrin.h>
#endif

namespace cuvec {

/// What a declaration says of how elements lie in memory: nothing, `rows` or `strided`.
struct Contiguous {};
struct Rows {};
struct Strided {};

template <class T, int Rank = 1, class Layout = Contiguous> struct View;

/// C-contiguous elements with a shape: `v[i]` is an element in memory order, `v(i, j)` one by its
/// indices, `*v` the element of a 0-d array. Nothing is checked on the way, but in a build with
/// DEBUG. `if (v)` holds unless it is an optional array that is None, of size 0.
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

  __host__ __device__ explicit operator bool() const { return data != nullptr; }
  __host__ __device__ T &operator*() const { return *data; }
  __host__ __device__ T &operator[](Index i) const { return data[within(i, size(), i)]; }

  template <class... I> __host__ __device__ T &operator()(Index first, I... others) const {
    static_assert(1 + sizeof...(I) == Rank, "cuvec: as many indices as the array has dimensions");
    int64 at = within(first, shape[0], first);
    int axis = 1;
    ((at = at * shape[axis] + within(int64(others), shape[axis], first), ++axis), ...);
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

/// A result of which the function finds how much there is, such as `index: int64(at most n)`.
template <class T, int Rank = 1> struct AtMost : View<T, Rank> {
  int64 *count; // of the first axis: 0 at first, and written by the function, on the GPU in `gpu`

  /// Counts one more, and returns its index: what other threads count has other ones. One that is
  /// not below `size(0)` must not be written to, and makes the call an error.
  __host__ __device__ int64 next() const {
#if defined(__CUDA_ARCH__)
    return int64(atomicAdd(reinterpret_cast<unsigned long long *>(count), 1ULL));
#elif defined(_MSC_VER)
    return _InterlockedExchangeAdd64(count, 1);
#else
    return __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
#endif
  }

  /// Adds an element, from any thread. They come in no particular order.
  __host__ __device__ void push(T value) const {
    static_assert(Rank == 1, "cuvec: push() adds to an array of one dimension");
    const int64 at = next();
    if (at < this->shape[0]) {
      this->data[at] = value;
    }
  }
};

} // namespace cuvec
