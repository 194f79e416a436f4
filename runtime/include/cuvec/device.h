// Building blocks of kernels: the index of a thread, shared memory, elements 16 bytes at a time.
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

/// Calls f(i) for i = 0 … n-1, each on one of the block's threads.
template <class F> __device__ void for_block(int64 n, F f) {
  for (int64 i = threadIdx.x; i < n; i += blockDim.x) {
    f(i);
  }
}

namespace detail {

/// How many elements make 16 bytes, where the widest of them has so many; 1 of a struct that
/// cannot.
constexpr int lanes(std::size_t widest) {
  return 16 % widest == 0 ? static_cast<int>(16 / widest) : 1;
}

/// N elements, loaded and stored at once.
template <class T, int N> struct alignas(N == 1 ? alignof(T) : N * sizeof(T)) Pack {
  T lane[N];
  __host__ __device__ T &operator[](int i) { return lane[i]; }
};

} // namespace detail

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
  const auto *px = reinterpret_cast<const detail::Pack<T, N> *>(x.data + head);
  const auto *py = reinterpret_cast<const detail::Pack<T, N> *>(y.data + head);

  CUVEC_UNROLL(4)
  for (int64 i = thread_index(); i < packs; i += thread_count()) {
    const detail::Pack<T, N> a = px[i], b = py[i];
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

} // namespace cuvec
