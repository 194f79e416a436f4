// Lets a C++ compiler that knows no CUDA read kernels: they are checked, and never run.
#pragma once

// In a build with CUDA, whose libraries this file may call.
#if defined(CUVEC_CUDA) && __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>
#else
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __shared__ static
#define __constant__ static
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) alignas(n)

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

#define CUVEC_VECTORS(T, name)                                                                     \
  struct alignas(2 * sizeof(T)) name##2 { T x, y; };                                               \
  struct name##3 { T x, y, z; };                                                                   \
  struct alignas(sizeof(T) < 8 ? 4 * sizeof(T) : 16) name##4 { T x, y, z, w; };                    \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; }                                       \
  inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                               \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
CUVEC_VECTORS(float, float)
CUVEC_VECTORS(double, double)
CUVEC_VECTORS(int, int)
CUVEC_VECTORS(unsigned, uint)
#endif

#include "intrinsics.h"

inline constexpr dim3 threadIdx{0, 0, 0}, blockIdx{0, 0, 0}, blockDim{}, gridDim{};
inline constexpr int warpSize = 32;

inline void __syncthreads() {}
inline void __syncwarp(unsigned = ~0U) {}
inline void __threadfence() {}
template <class T> T __ldg(const T *at) { return *at; }
template <class T> T __shfl_sync(unsigned, T value, int, int = 32) { return value; }
template <class T> T __shfl_up_sync(unsigned, T value, unsigned, int = 32) { return value; }
template <class T> T __shfl_down_sync(unsigned, T value, unsigned, int = 32) { return value; }
template <class T> T __shfl_xor_sync(unsigned, T value, int, int = 32) { return value; }
inline unsigned __activemask() { return 1; }
inline unsigned __ballot_sync(unsigned, int predicate) { return predicate != 0 ? 1U : 0U; }
inline int __any_sync(unsigned, int predicate) { return predicate; }
inline int __all_sync(unsigned, int predicate) { return predicate; }
inline int __syncthreads_count(int predicate) { return predicate != 0 ? 1 : 0; }
inline int __syncthreads_or(int predicate) { return predicate; }
inline int __syncthreads_and(int predicate) { return predicate; }

template <class T, class U> T atomicAdd(T *at, U value) {
  const T old = *at;
  *at = static_cast<T>(old + value);
  return old;
}
template <class T, class U> T atomicMin(T *at, U value) {
  const T old = *at;
  *at = std::min<T>(old, value);
  return old;
}
template <class T, class U> T atomicMax(T *at, U value) {
  const T old = *at;
  *at = std::max<T>(old, value);
  return old;
}
template <class T, class U> T atomicExch(T *at, U value) {
  const T old = *at;
  *at = value;
  return old;
}
template <class T, class U, class V> T atomicCAS(T *at, U compare, V value) {
  const T old = *at;
  if (old == static_cast<T>(compare)) {
    *at = static_cast<T>(value);
  }
  return old;
}
