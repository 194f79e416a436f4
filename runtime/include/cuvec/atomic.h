// Elements that several threads change, of the GPU or of the CPU, of any dtype.
#pragma once

#include <cstdint>
#include <type_traits>

#include "types.h"

#ifdef _MSC_VER
#include <intrin.h>
#endif

// A function for both sides, which calls what its caller gives it, for the side of that.
#ifdef __CUDACC__
#define CUVEC_CALLS_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define CUVEC_CALLS_EITHER_SIDE
#endif

namespace cuvec {

namespace detail {

/// Word that the GPU can compare and exchange at once, with an element of so many bytes in it.
template <std::size_t Bytes> struct word;
template <> struct word<1> : is<unsigned> {};
template <> struct word<2> : is<unsigned short> {};
template <> struct word<4> : is<unsigned> {};
template <> struct word<8> : is<unsigned long long> {};

#ifdef __CUDA_ARCH__
inline constexpr bool on_gpu = true;
#else
inline constexpr bool on_gpu = false;

/// An integer of so many bytes.
template <std::size_t Bytes>
using bits = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

/// Puts `next` where `seen` still is; otherwise says in `seen` what is there.
template <class Word> bool exchange(Word *at, Word &seen, Word next) {
#ifdef _MSC_VER
  const Word expected = seen;
  if constexpr (sizeof(Word) == 1) {
    seen = Word(_InterlockedCompareExchange8(reinterpret_cast<char *>(at), char(next), char(seen)));
  } else if constexpr (sizeof(Word) == 2) {
    seen = Word(
        _InterlockedCompareExchange16(reinterpret_cast<short *>(at), short(next), short(seen)));
  } else if constexpr (sizeof(Word) == 4) {
    seen = Word(_InterlockedCompareExchange(reinterpret_cast<long *>(at), long(next), long(seen)));
  } else {
    seen = Word(_InterlockedCompareExchange64(reinterpret_cast<long long *>(at),
                                              static_cast<long long>(next),
                                              static_cast<long long>(seen)));
  }
  return seen == expected;
#else
  return __atomic_compare_exchange_n(at, &seen, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

/// atomic_update on the CPU.
template <class T, class F> T update_on_cpu(T &at, F f) {
  using Word = bits<sizeof(T)>;
  auto *const whole = reinterpret_cast<Word *>(&at);
  Word seen = *const_cast<volatile Word *>(whole);
  while (!exchange(whole, seen, same_bytes<Word>(T(f(same_bytes<T>(seen)))))) {
  }
  return same_bytes<T>(seen);
}
#endif

} // namespace detail

/// Replaces an element of at most 8 bytes by f(element), with nothing of another thread's between
/// the two. Returns what it was.
CUVEC_CALLS_EITHER_SIDE
template <class T, class F> __host__ __device__ T atomic_update(T &at, F f) {
#ifndef __CUDA_ARCH__
  return detail::update_on_cpu(at, f);
#else
  using Word = typename detail::word<sizeof(T)>::type;
  using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, Word>;
  const auto address = reinterpret_cast<std::uintptr_t>(&at), past = address % sizeof(Word);
  auto *const whole = reinterpret_cast<Word *>(address - past);
  const unsigned shift = 8 * unsigned(past);
  const Word mask = Word(Word(Bits(~Bits(0))) << shift);
  Word seen = *const_cast<volatile Word *>(whole);
  for (;;) {
    const T old = detail::same_bytes<T>(Bits(seen >> shift));
    const Word next = Word(detail::same_bytes<Bits>(T(f(old)))) << shift;
    const Word found = atomicCAS(whole, seen, Word((seen & Word(~mask)) | next));
    if (found == seen) {
      return old;
    }
    seen = found;
  }
#endif
}

/// The larger and the smaller of two numbers; not a number if one of them is not, as NumPy's
/// maximum.
template <class T> __host__ __device__ T larger(T a, T b) {
#if __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, float>) {
    asm("max.NaN.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
    return a;
  }
#endif
  return a > b || a != a ? a : b;
}
template <class T> __host__ __device__ T smaller(T a, T b) {
#if __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, float>) {
    asm("min.NaN.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
    return a;
  }
#endif
  return a < b || a != a ? a : b;
}

/// An integer of 4 or 8 bytes as the one of its kind that CUDA's functions are written for.
template <class T> __host__ __device__ auto known_integer(T &at) {
  using Wide = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
  using Known = std::conditional_t<sizeof(T) == 8, Wide, T>;
  return reinterpret_cast<Known *>(&at);
}

/// Adds to an element that other threads add to as well. Returns what it was.
template <class T> __host__ __device__ T atomic_add(T &at, std::common_type_t<T> value) {
  if constexpr (std::is_integral_v<T> && !detail::on_gpu) { // without the overflow of signed ones
    using Wide = unsigned long long;
    return atomic_update(
        at, [value](T old) { return T(static_cast<Wide>(old) + static_cast<Wide>(value)); });
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) { // the same in two's complement
    using Word = unsigned long long;
    return T(atomicAdd(reinterpret_cast<Word *>(&at), static_cast<Word>(value)));
  } else if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4 && detail::on_gpu) {
    return atomicAdd(&at, value);
  } else {
    return atomic_update(at, [value](T old) { return T(old + value); });
  }
}
/// The parts one after the other: their sums are right, and between them others may add.
template <class R>
__host__ __device__ complex<R> atomic_add(complex<R> &at, std::common_type_t<complex<R>> value) {
  return {atomic_add(at.re, value.re), atomic_add(at.im, value.im)};
}

/// The larger, or smaller, of an element and a value takes its place. Returns what it was.
template <class T> __host__ __device__ T atomic_max(T &at, std::common_type_t<T> value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) >= 4 && detail::on_gpu) {
    return T(atomicMax(known_integer(at), *known_integer(value)));
  } else {
    return atomic_update(at, [value](T old) { return larger(old, value); });
  }
}
template <class T> __host__ __device__ T atomic_min(T &at, std::common_type_t<T> value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) >= 4 && detail::on_gpu) {
    return T(atomicMin(known_integer(at), *known_integer(value)));
  } else {
    return atomic_update(at, [value](T old) { return smaller(old, value); });
  }
}

} // namespace cuvec
