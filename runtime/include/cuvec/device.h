// What kernels are made of: the index of a thread, elements 16 bytes at a time, sums, atomics.
#pragma once

#include "view.h"

#ifdef __CUDACC__
#define CUVEC_PRAGMA(text) _Pragma(#text)
#define CUVEC_UNROLL(n) CUVEC_PRAGMA(unroll n)
#else
#define CUVEC_UNROLL(n)
#endif

namespace cuvec {

/// The index of this thread in the launch, and how many there are.
__device__ inline int64 thread_index() { return int64(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline int64 thread_count() { return int64(gridDim.x) * blockDim.x; }

/// The block's shared memory, of the size that the launch asked for.
template <class T> __device__ T *shared_memory() {
#ifdef __CUDACC__
  extern __shared__ __align__(16) unsigned char cuvec_shared[];
  return reinterpret_cast<T *>(cuvec_shared);
#else
  return nullptr;
#endif
}

/// Adds to an element that other threads add to as well.
template <class T> __device__ void atomic_add(T &at, T value) { atomicAdd(&at, value); }
__device__ inline void atomic_add(int64 &at, int64 value) { // two's complement: the sum is the same
  atomicAdd(reinterpret_cast<unsigned long long *>(&at), static_cast<unsigned long long>(value));
}

/// Calls f(i) for i = 0 … n-1, each on one of the block's threads.
template <class F> __device__ void for_block(int64 n, F f) {
  for (int64 i = threadIdx.x; i < n; i += blockDim.x) {
    f(i);
  }
}

/// N elements, loaded and stored at once.
template <class T, int N> struct alignas(N * sizeof(T)) Pack {
  T lane[N];
  __host__ __device__ T &operator[](int i) { return lane[i]; }
};

/// Calls f(x[i], y[i]) for this thread's share of two arrays of equal size, 16 bytes at a time
/// where they lie so that it can. All threads together call it once for each element.
template <class T, class F> __device__ void for_each(In<T> x, In<T> y, F f) {
  constexpr int N = 16 / sizeof(T);
  const int64 n = x.size();
  const auto past = reinterpret_cast<std::uintptr_t>(x.data) % 16;
  const bool together = reinterpret_cast<std::uintptr_t>(y.data) % 16 == past;
  int64 head = together ? int64((16 - past) % 16 / sizeof(T)) : n;
  head = head < n ? head : n;
  const int64 packs = (n - head) / N, tail = head + packs * N;
  const auto *px = reinterpret_cast<const Pack<T, N> *>(x.data + head);
  const auto *py = reinterpret_cast<const Pack<T, N> *>(y.data + head);

  CUVEC_UNROLL(4)
  for (int64 i = thread_index(); i < packs; i += thread_count()) {
    const Pack<T, N> a = px[i], b = py[i];
    CUVEC_UNROLL(N)
    for (int k = 0; k < N; ++k) {
      f(a.lane[k], b.lane[k]);
    }
  }
  for (int64 i = thread_index(); i < head; i += thread_count()) {
    f(x[i], y[i]);
  }
  for (int64 i = tail + thread_index(); i < n; i += thread_count()) {
    f(x[i], y[i]);
  }
}

/// The value of the lane that is so many lanes further up.
template <class T> __device__ T shuffle_down(T value, unsigned lanes) {
  return __shfl_down_sync(~0U, value, lanes);
}

/// The sum of the values of a warp's lanes; complete in lane 0. `T` needs `+=`.
template <class T> __device__ T warp_sum(T value) {
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) {
    value += shuffle_down(value, lanes);
  }
  return value;
}
/// The sum of the values of a block's threads; complete in thread 0. All of them must call it, and
/// the block must be whole warps.
template <class T> __device__ T block_sum(T value) {
#ifdef __CUDACC__
  __shared__ alignas(T) unsigned char memory[32 * sizeof(T)];
  T *sums = reinterpret_cast<T *>(memory);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_sum(value);
  __syncthreads(); // an earlier sum may still be read
  if (lane == 0) {
    sums[warp] = value;
  }
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? sums[lane] : T();
  return warp == 0 ? warp_sum(value) : value;
#else
  return value;
#endif
}

} // namespace cuvec
