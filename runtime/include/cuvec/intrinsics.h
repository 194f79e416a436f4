// CUDA's functions of numbers, for a C++ compiler that has none. What is fast and rough on the GPU
// is exact here. Those whose names begin with `__` nvcc has for the GPU alone.
#pragma once

#include <algorithm>
#include <cmath>

#include "types.h"

using std::max;
using std::min;

// From these versions on the C library has them, as C23 wants.
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 42)
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
#endif
inline float rcbrtf(float x) { return 1 / std::cbrt(x); }
inline double rcbrt(double x) { return 1 / std::cbrt(x); }

// Macros: the C library declares functions of these names, and has none.
#define __expf(x) std::exp(float(x))
#define __exp10f(x) std::pow(10.0F, float(x))
#define __logf(x) std::log(float(x))
#define __log2f(x) std::log2(float(x))
#define __log10f(x) std::log10(float(x))
#define __sinf(x) std::sin(float(x))
#define __cosf(x) std::cos(float(x))
#define __tanf(x) std::tan(float(x))
#define __powf(x, y) std::pow(float(x), float(y))

inline float __saturatef(float x) { return x > 0 ? std::min(x, 1.0F) : 0.0F; }
inline float __fdividef(float x, float y) { return x / y; }
inline float __frcp_rn(float x) { return 1 / x; }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
inline double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }

inline int __float2int_rn(float x) { return int(std::nearbyint(x)); }
inline int __float2int_rz(float x) { return int(x); }
inline int __float2int_rd(float x) { return int(std::floor(x)); }
inline int __float2int_ru(float x) { return int(std::ceil(x)); }
inline float __int2float_rn(int x) { return float(x); }

inline int __float_as_int(float x) { return cuvec::detail::same_bytes<int>(x); }
inline unsigned __float_as_uint(float x) { return cuvec::detail::same_bytes<unsigned>(x); }
inline float __int_as_float(int x) { return cuvec::detail::same_bytes<float>(x); }
inline float __uint_as_float(unsigned x) { return cuvec::detail::same_bytes<float>(x); }
inline long long __double_as_longlong(double x) { return cuvec::detail::same_bytes<long long>(x); }
inline double __longlong_as_double(long long x) { return cuvec::detail::same_bytes<double>(x); }

inline int __popcll(unsigned long long x) {
  int bits = 0;
  for (; x != 0; x &= x - 1) {
    ++bits;
  }
  return bits;
}
inline int __popc(unsigned x) { return __popcll(x); }
/// The place of the lowest bit that is set, from 1 on; 0 if none is.
inline int __ffsll(long long x) { return x == 0 ? 0 : __popcll(~x & (x - 1)) + 1; }
inline int __ffs(int x) { return __ffsll(x); }
/// How many of the highest bits are zero.
inline int __clzll(long long x) {
  int zeros = 64;
  for (auto rest = static_cast<unsigned long long>(x); rest != 0; rest >>= 1U) {
    --zeros;
  }
  return zeros;
}
inline int __clz(int x) { return __clzll(static_cast<unsigned>(x)) - 32; }
