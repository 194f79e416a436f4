#include "project.h"

static __global__ void project_all(const float *x, float *y, long n) {
  for (long i = threadIdx.x; i < n; i += blockDim.x) {
    y[i] += float(x[i] * weight(i));
  }
}

cudaError_t project(const float *x, float *y, long n, cudaStream_t stream) {
  project_all<<<1, 256, 0, stream>>>(x, y, n);
  return cudaGetLastError();
}
