// The C++ types of dtypes.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "abi.h"

namespace cuvec {

/// float16: stored in two bytes, worked on as float.
class half {
public:
  half() = default;
  __host__ __device__ half(float value) : bits_(from(value)) {}
  __host__ __device__ operator float() const { return to(bits_); }
  __host__ __device__ half &operator+=(float other) { return *this = half(float(*this) + other); }
  __host__ __device__ half &operator-=(float other) { return *this = half(float(*this) - other); }
  __host__ __device__ half &operator*=(float other) { return *this = half(float(*this) * other); }
  __host__ __device__ half &operator/=(float other) { return *this = half(float(*this) / other); }

private:
  // With a multiplication the exponent's bias changes, and subnormal numbers come out right.
  __host__ __device__ static float to(std::uint16_t bits) {
    const std::uint32_t magnitude = std::uint32_t(bits & 0x7fffU) << 13U;
    float value = number(magnitude) * number(0x77800000U); // 2^112
    if (magnitude >= 0x0f800000U) {                        // infinity, or not a number
      value = number(magnitude | 0x7f800000U);
    }
    return number(pattern(value) | std::uint32_t(bits & 0x8000U) << 16U);
  }

  __host__ __device__ static std::uint16_t from(float value) {
    const std::uint32_t all = pattern(value), sign = all & 0x80000000U;
    std::uint32_t magnitude = all ^ sign;
    std::uint16_t result = 0;
    if (magnitude >= 0x47800000U) { // at least 2^16: infinity, or not a number
      result = magnitude > 0x7f800000U ? 0x7e00U : 0x7c00U;
    } else if (magnitude < 0x38800000U) { // below 2^-14: subnormal; the addition rounds
      result = std::uint16_t(pattern(number(magnitude) + 0.5F) - 0x3f000000U);
    } else { // to nearest, ties to even
      magnitude += 0xc8000fffU + ((magnitude >> 13U) & 1U);
      result = std::uint16_t(magnitude >> 13U);
    }
    return std::uint16_t(result | sign >> 16U);
  }

  __host__ __device__ static float number(std::uint32_t pattern) {
    float value;
    memcpy(&value, &pattern, sizeof value);
    return value;
  }
  __host__ __device__ static std::uint32_t pattern(float value) {
    std::uint32_t pattern;
    memcpy(&pattern, &value, sizeof pattern);
    return pattern;
  }

  std::uint16_t bits_;
};

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
template <> struct element<CUVEC_FLOAT16> : is<half> {};
template <> struct element<CUVEC_FLOAT32> : is<float> {};
template <> struct element<CUVEC_FLOAT64> : is<double> {};
template <> struct element<CUVEC_COMPLEX64> : is<complex64> {};
template <> struct element<CUVEC_COMPLEX128> : is<complex128> {};
template <int Code> using element_t = typename element<Code>::type;

} // namespace cuvec
