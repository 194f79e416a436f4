// Loops for the vector units of the CPU that they run on.
#pragma once

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(_MSC_VER)
#define HOST_HAS_AVX2 (__builtin_cpu_supports("avx2") != 0)
#define HOST_WITH_AVX2 [[gnu::target("avx2"), gnu::flatten]]
#else // elsewhere every CPU has what the compiler uses anyway, or the compiler has no such thing
#define HOST_HAS_AVX2 false
#define HOST_WITH_AVX2
#endif

namespace host {

/// `flatten`: what the loop calls is inlined, and so compiled for AVX2 too.
template <typename Loop> HOST_WITH_AVX2 auto with_avx2(const Loop &loop) { return loop(); }

/// Calls `loop`, which is compiled twice: for all CPUs, and with the wider vectors that nearly all
/// x86-64 have today. Both give the same bits.
template <typename Loop> auto vectorized(const Loop &loop) {
  return HOST_HAS_AVX2 ? with_avx2(loop) : loop();
}

} // namespace host

#undef HOST_HAS_AVX2
#undef HOST_WITH_AVX2
