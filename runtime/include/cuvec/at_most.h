// Results of which a function finds how much there is, as bodies and kernels see them.
#pragma once

#include "atomic.h"
#include "view.h"

#ifdef _MSC_VER
#include <intrin.h>
#endif

namespace cuvec {

/// A result of which the function finds how much there is, such as `index: int64(at most n)`.
template <class T, int Rank = 1> struct AtMost : View<T, Rank> {
  int64 *count; // of the first axis: 0 at first, and written by the function, on the GPU in `gpu`

  /// Counts one more, and returns its index: what other threads count has other ones. One that is
  /// not below `size(0)` must not be written to, and makes the call an error.
  __host__ __device__ int64 next() const {
#if defined(__CUDA_ARCH__)
    return atomic_add(*count, 1);
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
