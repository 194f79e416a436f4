// float16, bfloat16 and float8.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "abi.h"

namespace cuvec {

namespace detail {

/// The same bytes as another type.
template <class To, class From> __host__ __device__ To same_bytes(const From &from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To>);
  To to;
  memcpy(static_cast<void *>(&to), &from, sizeof to);
  return to;
}

/// 32 bits of which these are the upper half. On the GPU that is one instruction or none, where a
/// shift is two: two elements of a pack lie in one register.
__host__ __device__ inline std::uint32_t from_upper_half(std::uint16_t bits) {
#ifdef __CUDA_ARCH__
  std::uint32_t whole;
  asm("{ .reg .b16 zero; mov.b16 zero, 0; mov.b32 %0, {zero, %1}; }" : "=r"(whole) : "h"(bits));
  return whole;
#else
  return std::uint32_t(bits) << 16U;
#endif
}

__host__ __device__ inline std::uint16_t upper_half(std::uint32_t whole) {
#ifdef __CUDA_ARCH__
  std::uint16_t bits;
  asm("{ .reg .b16 low; mov.b32 {low, %0}, %1; }" : "=h"(bits) : "r"(whole));
  return bits;
#else
  return std::uint16_t(whole >> 16U);
#endif
}

} // namespace detail

/// A floating-point number of fewer bits than float, which it is worked on as: a sign, an exponent
/// and a fraction. Without infinities, the largest exponent is one as the others are, and only all
/// bits set are not a number. Rounds to the nearest, ties to even, as NumPy and ml_dtypes. NaNs
/// have the same bits on the CPU and on every GPU, whose own conversions lose the sign and the
/// fraction. A number without a fraction is a power of two, without sign and zero; a tie is rounded
/// to the larger one.
template <int Exponent, int Fraction, bool HasInfinity> class small_float {
  static_assert(Exponent + Fraction == 7 || Exponent + Fraction == 15 || Fraction == 0);

public:
  using bits_type = std::conditional_t<Exponent + Fraction <= 8, std::uint8_t, std::uint16_t>;

  small_float() = default;
  __host__ __device__ small_float(float value) : bits_(from(value)) {}
  __host__ __device__ operator float() const { return to(bits_); }
  __host__ __device__ small_float &operator+=(float other) { return *this = float(*this) + other; }
  __host__ __device__ small_float &operator-=(float other) { return *this = float(*this) - other; }
  __host__ __device__ small_float &operator*=(float other) { return *this = float(*this) * other; }
  __host__ __device__ small_float &operator/=(float other) { return *this = float(*this) / other; }

  __host__ __device__ bits_type bits() const { return bits_; }
  __host__ __device__ static small_float from_bits(bits_type bits) {
    small_float value;
    value.bits_ = bits;
    return value;
  }

private:
  template <int, int, bool> friend class small_float;

  static constexpr int shift = 23 - Fraction;                // of a fraction in float's
  static constexpr int rebias = 128 - (1 << (Exponent - 1)); // between the exponents
  static constexpr std::uint32_t bias = std::uint32_t(rebias) << 23U;
  static constexpr std::uint32_t sign = 1U << (Exponent + Fraction), largest = sign - 1;
  static constexpr std::uint32_t infinity = largest - ((1U << Fraction) - 1);
  static constexpr std::uint32_t not_a_number =
      HasInfinity ? infinity | (1U << Fraction) / 2 : largest;
  static constexpr std::uint32_t limit = HasInfinity ? infinity : largest; // of finite numbers
  static constexpr std::uint32_t float_infinity = 0x7f800000U, float_sign = 0x80000000U;

  __host__ __device__ static float to(bits_type bits) {
    if constexpr (Fraction == 0) { // the first and the last have a fraction in float
      const bool has_fraction = bits_type(bits + 1U) < 2;
      return number(std::uint32_t(bits) << 23U | std::uint32_t(has_fraction) << 22U);
    } else if constexpr (Exponent == 8) { // bfloat16 is float's upper half
      return number(detail::from_upper_half(bits));
    } else if constexpr (Fraction == 2) { // float8_e5m2 is float16's
      return small_float<5, 10, true>::to(std::uint16_t(bits << 8U));
    } else {
#ifdef __CUDA_ARCH__
      if constexpr (Fraction == 10) {
        return from_half(bits);
      }
#endif
      // With a multiplication the exponent's bias changes, and subnormal numbers come out right.
      const auto wide = std::uint32_t(std::make_signed_t<bits_type>(bits)) << unsigned(shift);
      const std::uint32_t moved = wide & (float_sign | largest << shift);
      const float value = number(moved) * number((127U << 23U) + bias);
      const bool is_finite = (moved & ~float_sign) < limit << shift;
      return number(pattern(value) | (is_finite ? 0 : float_infinity));
    }
  }

  __host__ __device__ static bits_type from(float value) {
    if constexpr (Fraction == 0) { // as in ml_dtypes, beyond the smallest up to the second
      const std::uint32_t all = pattern(value), smallest = 1U << 22U;
      const std::uint32_t nearest = ((all + smallest) >> 23U) - std::uint32_t(all == smallest);
      return bits_type(choose(all - 1 < float_infinity - smallest - 1, nearest, not_a_number));
    }
#if __CUDA_ARCH__ >= 890
    if constexpr (sizeof(bits_type) == 1) {
      return to_byte(value);
    }
#endif
#ifdef __CUDA_ARCH__
    if constexpr (Fraction == 10 || (Exponent == 8 && __CUDA_ARCH__ >= 800)) {
      return to_half(value);
    }
#endif
    const std::uint32_t all = pattern(value), magnitude = all & ~float_sign;
    if constexpr (Exponent == 8) {
      const std::uint32_t rounded = all + 0x7fffU + (all >> 16U & 1U);
      const std::uint32_t nan = (all & float_sign) | not_a_number << 16U;
      return bits_type(detail::upper_half(choose(magnitude > float_infinity, nan, rounded)));
    }
    const std::uint32_t odd = magnitude >> unsigned(shift) & 1U;
    std::uint32_t result = (magnitude - bias + (1U << (shift - 1)) - 1 + odd) >> unsigned(shift);
    constexpr std::uint32_t step = std::uint32_t(rebias + shift + 1) << 23U;          // 2^23 times
    const std::uint32_t subnormal = pattern(number(magnitude) + number(step)) - step; // rounds
    result = choose(magnitude < bias + (1U << 23U), subnormal, result);
    result = choose(magnitude >= (limit << shift) + bias, limit, result);
    if constexpr (HasInfinity) {
      result = choose(magnitude > float_infinity, not_a_number, result);
    }
    return bits_type(result | (all >> (31 - Exponent - Fraction) & sign));
  }

#ifdef __CUDA_ARCH__
  /// As signed integers, what is not a number is larger with the bits that the GPU gives it than
  /// with those it should have; of all other numbers these are farther from zero.
  __device__ static float from_half(std::uint16_t bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    const int moved = static_cast<int>(detail::from_upper_half(bits)) >> 3;
    const int nan = moved | static_cast<int>(float_infinity);
    return number(std::uint32_t(min(static_cast<int>(pattern(value)), nan)));
  }

  /// The same, and the sign comes back.
  __device__ static std::uint16_t to_half(float value) {
    std::uint32_t whole; // the number is its upper half
#if __CUDA_ARCH__ >= 800
    if constexpr (Exponent == 8) {
      asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(whole) : "f"(value), "f"(0.0F));
    } else {
      asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(whole) : "f"(value), "f"(0.0F));
    }
#else
    std::uint16_t bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    whole = detail::from_upper_half(bits);
#endif
    const int least = min(static_cast<int>(whole), static_cast<int>(not_a_number << 16U));
    return detail::upper_half(std::uint32_t(least) | (pattern(value) & float_sign));
  }

  /// The GPU makes the largest number of what is too large.
  __device__ static std::uint8_t to_byte(float value) {
    std::uint16_t bits;
    if constexpr (HasInfinity) {
      asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(0.0F), "f"(value));
    } else {
      asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(bits) : "f"(0.0F), "f"(value));
    }
    // Half a step below `limit`, which such a number is rounded to if that is even.
    constexpr std::uint32_t beyond = (limit << shift) + bias - (1U << (shift - 1)) + (limit & 1U);
    if (!(fabsf(value) < number(beyond))) {
      const std::uint32_t special = value != value ? not_a_number : limit;
      bits = std::uint16_t((pattern(value) >> 24U & sign) | special);
    }
    return std::uint8_t(bits);
  }
#endif

  /// One of two, without a branch, so that compilers make vectors of loops.
  __host__ __device__ static std::uint32_t choose(bool is_first, std::uint32_t first,
                                                  std::uint32_t second) {
    return second ^ ((first ^ second) & (0U - std::uint32_t(is_first)));
  }
  __host__ __device__ static float number(std::uint32_t pattern) {
    return detail::same_bytes<float>(pattern);
  }
  __host__ __device__ static std::uint32_t pattern(float value) {
    return detail::same_bytes<std::uint32_t>(value);
  }

  bits_type bits_;
};

using float16 = small_float<5, 10, true>;
using bfloat16 = small_float<8, 7, true>;
using float8_e4m3fn = small_float<4, 3, false>;
using float8_e5m2 = small_float<5, 2, true>;
using float8_e8m0fnu = small_float<8, 0, false>;

} // namespace cuvec
