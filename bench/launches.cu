// Baseline of a package, in its own process: the kernel, launched from C.

#include "kernels.cuh"

/// Launches y += a x `count` times, for arrays of the GPU of n elements, a multiple of 4; returns
/// CUDA's error.
extern "C" int launches(float a, const float *x, float *y, cudaStream_t stream, std::size_t n,
                        int count, int waits) {
  for (int i = 0; i < count; ++i) {
    launch_axpy(a, x, y, n, stream);
    if (waits != 0) {
      cudaStreamSynchronize(stream);
    }
  }
  return cudaGetLastError();
}
