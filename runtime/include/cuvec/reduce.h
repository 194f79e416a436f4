// Exchanges and reductions between the lanes of a warp and between the threads of a block.
#pragma once

#include "atomic.h"

namespace cuvec {

namespace detail {
/// A value of any type that can be copied by its bytes, as `move` brings its words from other
/// lanes.
template <class T, class Move> __device__ T shuffled(T value, const Move &move) {
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {
    return move(value);
  } else {
    static_assert(std::is_trivially_copyable_v<T>, "cuvec: lanes share a type without pointers");
    unsigned words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof value);
    for (unsigned &each : words) {
      each = move(each);
    }
    memcpy(static_cast<void *>(&value), words, sizeof value);
    return value;
  }
}
} // namespace detail

/// The value of the lane that is so many lanes further up.
template <class T> __device__ T shuffle_down(T value, unsigned lanes) {
  return detail::shuffled(value, [=](auto word) { return __shfl_down_sync(~0U, word, lanes); });
}

/// f of the values of a warp's lanes, two at a time; complete in lane 0.
template <class T, class F> __device__ T warp_reduce(T value, F f) {
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) {
    value = f(value, shuffle_down(value, lanes));
  }
  return value;
}

/// f of the values of a block's threads; complete in thread 0. All of them must call it, and the
/// block must be whole warps. `neutral` changes nothing: f(value, neutral) is the value.
template <class T, class F> __device__ T block_reduce(T value, F f, T neutral) {
#ifdef __CUDACC__
  __shared__ alignas(T) unsigned char memory[32 * sizeof(T)];
  T *parts = reinterpret_cast<T *>(memory);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_reduce(value, f);
  __syncthreads(); // an earlier reduction may still be read
  if (lane == 0) {
    parts[warp] = value;
  }
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? parts[lane] : neutral;
  return warp == 0 ? warp_reduce(value, f) : value;
#else
  return warp_reduce(f(value, neutral), f);
#endif
}

namespace detail {
struct Plus {
  template <class T> __host__ __device__ T operator()(T a, const T &b) const {
    a += b;
    return a;
  }
};
struct Larger {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return larger(a, b); }
};
struct Smaller {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return smaller(a, b); }
};
} // namespace detail

/// The sum, the largest and the smallest of the values of a warp's lanes (complete in lane 0) or
/// of a block's threads (complete in thread 0).
template <class T> __device__ T warp_sum(T value) { return warp_reduce(value, detail::Plus()); }
template <class T> __device__ T warp_max(T value) { return warp_reduce(value, detail::Larger()); }
template <class T> __device__ T warp_min(T value) { return warp_reduce(value, detail::Smaller()); }
template <class T> __device__ T block_sum(T value) {
  return block_reduce(value, detail::Plus(), T());
}
template <class T> __device__ T block_max(T value) {
  return block_reduce(value, detail::Larger(), value);
}
template <class T> __device__ T block_min(T value) {
  return block_reduce(value, detail::Smaller(), value);
}

} // namespace cuvec
