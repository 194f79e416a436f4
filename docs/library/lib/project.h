#pragma once

void project(const float *x, float *y, long n);

#ifdef __CUDACC__
__device__ double weight(long i);
cudaError_t project(const float *x, float *y, long n, cudaStream_t stream);
#endif
