// Functions of float for where the last bits do not matter: instructions of the GPU, on the CPU the
// C++ library's. Values are within 4e-6 of themselves for arguments of ordinary size, or within
// 1e-6 where that is more; the sides give different bits.
#pragma once

#include <cmath>

#ifdef __CUDA_ARCH__
#define CUVEC_FAST(gpu, cpu) gpu
#else
#define CUVEC_FAST(gpu, cpu) cpu
#endif

namespace cuvec::fast {

/// These two take numbers below 2^-126 for 0 on the GPU.
__host__ __device__ inline float exp2(float x) {
#ifdef __CUDA_ARCH__
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
#else
  return std::exp2(x);
#endif
}
__host__ __device__ inline float recip(float x) {
#ifdef __CUDA_ARCH__
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  return inverse;
#else
  return 1 / x;
#endif
}
__host__ __device__ inline float exp(float x) {
  return CUVEC_FAST(exp2(x * 1.44269504F), std::exp(x));
}
__host__ __device__ inline float ln(float x) { return CUVEC_FAST(__logf(x), std::log(x)); }
__host__ __device__ inline float log2(float x) { return CUVEC_FAST(__log2f(x), std::log2(x)); }
__host__ __device__ inline float rsqrt(float x) { return CUVEC_FAST(rsqrtf(x), 1 / std::sqrt(x)); }
__host__ __device__ inline float sqrt(float x) {
  return CUVEC_FAST(x > 0 ? x * rsqrtf(x) : x, std::sqrt(x));
}
/// Trigonometric functions, of radians that are not far from 0.
__host__ __device__ inline float sin(float x) { return CUVEC_FAST(__sinf(x), std::sin(x)); }
__host__ __device__ inline float cos(float x) { return CUVEC_FAST(__cosf(x), std::cos(x)); }
__host__ __device__ inline float tan(float x) { return CUVEC_FAST(__tanf(x), std::tan(x)); }
__host__ __device__ inline float tanh(float x) {
  return CUVEC_FAST(1 - 2 * recip(exp(2 * x) + 1), std::tanh(x));
}
/// A positive number to any power.
__host__ __device__ inline float powf(float x, float power) {
  return CUVEC_FAST(__powf(x, power), std::pow(x, power));
}

} // namespace cuvec::fast

#undef CUVEC_FAST
