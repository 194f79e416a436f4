// The C++ types of dtypes.
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
} // namespace detail

/// A floating-point number of fewer bits than float, which it is worked on as: a sign, an exponent
/// and a fraction. Without infinities, the largest exponent is one as the others are, and only all
/// bits set are not a number. Rounds to the nearest, ties to even, as NumPy and ml_dtypes.
template <int Exponent, int Fraction, bool HasInfinity> class small_float {
  static_assert(Exponent + Fraction == 7 || Exponent + Fraction == 15);

public:
  using bits_type = std::conditional_t<Exponent + Fraction == 7, std::uint8_t, std::uint16_t>;

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
  static constexpr int shift = 23 - Fraction;                // of a fraction in float's
  static constexpr int rebias = 128 - (1 << (Exponent - 1)); // between the exponents
  static constexpr std::uint32_t sign = 1U << (Exponent + Fraction), largest = sign - 1;
  static constexpr std::uint32_t infinity = largest - ((1U << Fraction) - 1);
  static constexpr std::uint32_t not_a_number =
      HasInfinity ? infinity | 1U << (Fraction - 1) : largest;
  static constexpr std::uint32_t limit = HasInfinity ? infinity : largest; // of finite numbers
  static constexpr std::uint32_t float_infinity = 0x7f800000U;

  // With a multiplication the exponent's bias changes, and subnormal numbers come out right.
  __host__ __device__ static float to(bits_type bits) {
    const std::uint32_t magnitude = bits & largest;
    float value = number(magnitude << shift) * number(std::uint32_t(127 + rebias) << 23U);
    if (magnitude >= limit) {
      value = number(magnitude << shift | float_infinity);
    }
    return number(pattern(value) | std::uint32_t(bits & sign) << (31 - Exponent - Fraction));
  }

  __host__ __device__ static bits_type from(float value) {
    constexpr std::uint32_t bias = std::uint32_t(rebias) << 23U;
    const std::uint32_t all = pattern(value), negative = all & 0x80000000U;
    std::uint32_t magnitude = all ^ negative, result = 0;
    if (magnitude >= (limit << shift) + bias) {
      result = HasInfinity && magnitude <= float_infinity ? infinity : not_a_number;
    } else if (magnitude < bias + (1U << 23U)) { // subnormal; the addition rounds
      constexpr std::uint32_t step = std::uint32_t(rebias + shift + 1) << 23U; // 2^23 times
      result = pattern(number(magnitude) + number(step)) - step;
    } else {
      magnitude += (1U << (shift - 1)) - 1 + ((magnitude >> unsigned(shift)) & 1U);
      result = (magnitude - bias) >> unsigned(shift);
    }
    return bits_type(result | negative >> (31 - Exponent - Fraction));
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

/// complex64 and complex128, for the CPU and the GPU. std::complex is for the CPU alone, and
/// cuda::std::complex makes every file compile seconds longer.
template <class R> struct alignas(2 * sizeof(R)) complex {
  R re, im;

  complex() = default;
  __host__ __device__ complex(R real, R imaginary = 0) : re(real), im(imaginary) {}
  __host__ __device__ R real() const { return re; }
  __host__ __device__ R imag() const { return im; }

  friend __host__ __device__ complex operator+(complex a, complex b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend __host__ __device__ complex operator-(complex a, complex b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend __host__ __device__ complex operator-(complex a) { return {-a.re, -a.im}; }
  friend __host__ __device__ complex operator*(complex a, complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  /// Smith's algorithm, which does not overflow on the way: Comm. ACM 5 (1962), 435.
  friend __host__ __device__ complex operator/(complex a, complex b) {
    if ((b.re < 0 ? -b.re : b.re) >= (b.im < 0 ? -b.im : b.im)) {
      const R ratio = b.im / b.re, scale = b.re + b.im * ratio;
      return {(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale};
    }
    const R ratio = b.re / b.im, scale = b.re * ratio + b.im;
    return {(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
  }
  __host__ __device__ complex &operator+=(complex other) { return *this = *this + other; }
  __host__ __device__ complex &operator-=(complex other) { return *this = *this - other; }
  __host__ __device__ complex &operator*=(complex other) { return *this = *this * other; }
  __host__ __device__ complex &operator/=(complex other) { return *this = *this / other; }
  friend __host__ __device__ bool operator==(complex a, complex b) {
    return a.re == b.re && a.im == b.im;
  }
  friend __host__ __device__ bool operator!=(complex a, complex b) { return !(a == b); }
};

template <class R> __host__ __device__ complex<R> conj(complex<R> a) { return {a.re, -a.im}; }

using complex64 = complex<float>;
using complex128 = complex<double>;

/// The type of the real part of a T, such as `real(T)` is in a signature.
template <class T> struct real_part {
  using type = T;
};
template <class R> struct real_part<complex<R>> {
  using type = R;
};
template <class T> using real_t = typename real_part<T>::type;

namespace detail {

/// The type of a `cuvec_dtype`.
template <int Code> struct element;
template <class T> struct is {
  using type = T;
};
template <> struct element<CUVEC_BOOL> : is<bool> {};
template <> struct element<CUVEC_INT8> : is<std::int8_t> {};
template <> struct element<CUVEC_UINT8> : is<std::uint8_t> {};
template <> struct element<CUVEC_INT16> : is<std::int16_t> {};
template <> struct element<CUVEC_UINT16> : is<std::uint16_t> {};
template <> struct element<CUVEC_INT32> : is<std::int32_t> {};
template <> struct element<CUVEC_UINT32> : is<std::uint32_t> {};
template <> struct element<CUVEC_INT64> : is<std::int64_t> {};
template <> struct element<CUVEC_UINT64> : is<std::uint64_t> {};
template <> struct element<CUVEC_FLOAT16> : is<float16> {};
template <> struct element<CUVEC_FLOAT32> : is<float> {};
template <> struct element<CUVEC_FLOAT64> : is<double> {};
template <> struct element<CUVEC_COMPLEX64> : is<complex64> {};
template <> struct element<CUVEC_COMPLEX128> : is<complex128> {};
template <> struct element<CUVEC_BFLOAT16> : is<bfloat16> {};
template <> struct element<CUVEC_FLOAT8_E4M3FN> : is<float8_e4m3fn> {};
template <> struct element<CUVEC_FLOAT8_E5M2> : is<float8_e5m2> {};
template <int Code> using element_t = typename element<Code>::type;

} // namespace detail

} // namespace cuvec
