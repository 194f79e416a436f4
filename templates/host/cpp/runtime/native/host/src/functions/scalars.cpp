#include "scalars.hpp"

#include <cuvec/plain.h> // before what nvcc compiles otherwise

#include <cuvec/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include <host/error.hpp>

namespace host::scalars {

namespace {

template <typename T> Value value_of(DType dtype, T number) {
  Value value{dtype, {}};
  const auto *bytes = reinterpret_cast<const std::byte *>(&number);
  std::copy_n(bytes, sizeof number, value.bytes.begin());
  return value;
}

[[noreturn]] void refuse(const char *name, const std::string &text, DType dtype) {
  throw OverflowError(std::string(name) + " = " + text + " does not fit into " +
                      std::string(host::name(dtype)));
}

template <typename T> bool holds(Integer number) {
  if (!number.fits) {
    return false;
  }
  if (number.negative) { // -x fits if x - 1 is at most the largest number
    return std::is_signed_v<T> &&
           (number.magnitude == 0 ||
            number.magnitude - 1 <= static_cast<std::uint64_t>(std::numeric_limits<T>::max()));
  }
  return number.magnitude <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
}

/// `text` says how messages call the number.
template <typename T, typename Text>
Value integer(const char *name, DType dtype, Integer number, const Text &text) {
  if (!holds<T>(number)) {
    refuse(name, text(), dtype);
  }
  // Without a sign: the smallest number has no counterpart to be negated.
  const std::uint64_t bits = number.negative ? 0 - number.magnitude : number.magnitude;
  return value_of(dtype, static_cast<T>(bits));
}

template <typename Text>
Value any_integer(const char *name, DType dtype, Integer number, const Text &text) {
  switch (dtype) {
  case DType::Bool:
    if (!number.fits || number.negative || number.magnitude > 1) {
      refuse(name, text(), dtype);
    }
    return value_of(dtype, number.magnitude == 1);
  case DType::I8:
    return integer<std::int8_t>(name, dtype, number, text);
  case DType::U8:
    return integer<std::uint8_t>(name, dtype, number, text);
  case DType::I16:
    return integer<std::int16_t>(name, dtype, number, text);
  case DType::U16:
    return integer<std::uint16_t>(name, dtype, number, text);
  case DType::I32:
    return integer<std::int32_t>(name, dtype, number, text);
  case DType::U32:
    return integer<std::uint32_t>(name, dtype, number, text);
  case DType::I64:
    return integer<std::int64_t>(name, dtype, number, text);
  default:
    return integer<std::uint64_t>(name, dtype, number, text);
  }
}

/// Rounded to what the dtype has; it must not become infinite by that.
template <typename T> T rounded(const char *name, DType dtype, double number) {
  const T result = static_cast<T>(static_cast<float>(number));
  if (std::isfinite(number) && !std::isfinite(static_cast<float>(result))) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", number);
    refuse(name, text.data(), dtype);
  }
  return result;
}

Value real(const char *name, DType dtype, double number) {
  if (dtype == DType::F64) {
    return value_of(dtype, number);
  }
  if (dtype == DType::F32) {
    return value_of(dtype, rounded<float>(name, dtype, number));
  }
  return value_of(dtype, rounded<cuvec::half>(name, dtype, number));
}

Value complex(const char *name, DType dtype, std::complex<double> number) {
  if (dtype == DType::C128) {
    return value_of(dtype, number);
  }
  return value_of(dtype, std::complex<float>(rounded<float>(name, dtype, number.real()),
                                             rounded<float>(name, dtype, number.imag())));
}

} // namespace

Value convert(const char *name, DType dtype, const Number &number) {
  switch (kind(dtype)) {
  case 'c':
    return complex(name, dtype, number.complex());
  case 'f':
    return real(name, dtype, number.real());
  default:
    const auto whole = number.integer();
    if (!whole) {
      throw TypeError(std::string(name) + " must be an integer, not " + number.type());
    }
    return any_integer(name, dtype, *whole, [&] {
      return whole->fits ? number.text() : std::string("a larger number");
    });
  }
}

Value convert(const char *name, DType dtype, const cuvec_number &number) {
  switch (kind(dtype)) {
  case 'c':
    return complex(name, dtype, number.real);
  case 'f':
    return real(name, dtype, number.real);
  default:
    if (number.is_integer == 0) {
      throw TypeError(std::string("the default of ") + name + " must be an integer");
    }
    const bool negative = number.integer < 0;
    const auto bits = static_cast<std::uint64_t>(number.integer);
    return any_integer(name, dtype, {negative, negative ? 0 - bits : bits, true},
                       [&] { return std::to_string(number.integer); });
  }
}

std::int64_t to_int64(const Value &value) {
  switch (value.dtype) {
  case DType::I8:
    return value.as<std::int8_t>();
  case DType::U8:
    return value.as<std::uint8_t>();
  case DType::I16:
    return value.as<std::int16_t>();
  case DType::U16:
    return value.as<std::uint16_t>();
  case DType::I32:
    return value.as<std::int32_t>();
  case DType::U32:
    return value.as<std::uint32_t>();
  case DType::U64:
    return static_cast<std::int64_t>(std::min<std::uint64_t>(
        value.as<std::uint64_t>(), std::numeric_limits<std::int64_t>::max()));
  default:
    return value.as<std::int64_t>();
  }
}

} // namespace host::scalars
