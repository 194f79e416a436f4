// The C++ types of dtypes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "abi.h"
#include "small_float.h"

namespace cuvec {

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
using int8 = std::int8_t;
using uint8 = std::uint8_t;
using int16 = std::int16_t;
using uint16 = std::uint16_t;
using int32 = std::int32_t;
using uint32 = std::uint32_t;
using int64 = std::int64_t;
using uint64 = std::uint64_t;
using float32 = float;
using float64 = double;
#define CUVEC_DTYPE(name, NAME, code, bits)                                                        \
  template <> struct element<CUVEC_##NAME> : is<name> {};
CUVEC_DTYPES(CUVEC_DTYPE)
#undef CUVEC_DTYPE
template <int Code> using element_t = typename element<Code>::type;

} // namespace detail

} // namespace cuvec
