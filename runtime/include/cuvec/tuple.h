// Tuples of a declaration, such as `stride: int64[2] = (1, 1)`.
#pragma once

#include "view.h"

namespace cuvec {

/// A few scalars: a std::array that kernels can use.
template <class T, int N> struct Tuple {
  T item[N];

  __host__ __device__ const T &operator[](int64 i) const { return item[i]; }
  __host__ __device__ static constexpr int64 size() { return N; }
  __host__ __device__ const T *begin() const { return item; }
  __host__ __device__ const T *end() const { return item + N; }
};

} // namespace cuvec
