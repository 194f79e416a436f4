// Blocks of the GPU that share memory: a cluster, from compute capability 9.0 on.
#pragma once

#include "device.h"

namespace cuvec::detail {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
/// How many blocks the cluster of this one has, and which it is.
__device__ inline int cluster_size() {
  int size;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
}
__device__ inline int cluster_rank() {
  int rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
/// The same place in the shared memory of another block of the cluster.
template <class T> __device__ T *in_block(T *mine, int rank) {
  T *other;
  asm("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(mine), "r"(rank));
  return other;
}
__device__ inline void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
#else
__device__ inline int cluster_size() { return 1; }
__device__ inline int cluster_rank() { return 0; }
template <class T> __device__ T *in_block(T *mine, int /*rank*/) { return mine; }
__device__ inline void cluster_barrier() {}
#endif

} // namespace cuvec::detail
