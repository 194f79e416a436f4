#pragma once

extern "C" double pet_weight(long i);

#ifdef __CUDACC__
cudaError_t pet_clear(float *x, long n, cudaStream_t stream);
#endif
