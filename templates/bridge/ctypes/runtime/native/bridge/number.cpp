#include "number.hpp"

#include <cmath>

#include <host/error.hpp>

namespace core {

std::optional<host::Integer> Number::integer() const {
  if (number_.kind != CORE_INTEGER && number_.kind != CORE_BOOL) {
    return std::nullopt;
  }
  return host::Integer{number_.negative != 0, number_.magnitude, number_.too_large == 0};
}

double Number::real() const {
  if (number_.kind == CORE_NO_NUMBER || number_.kind == CORE_COMPLEX) {
    throw host::TypeError(name_ + " must be a number, not " + type());
  }
  if (number_.kind == CORE_INTEGER && number_.too_large != 0 && std::isinf(number_.real)) {
    throw host::OverflowError("int too large to convert to float");
  }
  return number_.real;
}

std::complex<double> Number::complex() const {
  return number_.kind == CORE_COMPLEX ? std::complex(number_.real, number_.imaginary)
                                      : std::complex(real());
}

std::string Number::type() const {
  if (number_.type[0] != '\0') {
    return number_.type;
  }
  return number_.kind == CORE_COMPLEX ? "complex" : number_.kind == CORE_REAL ? "float" : "int";
}

std::string Number::text() const {
  if (number_.kind == CORE_REAL || number_.kind == CORE_COMPLEX) {
    return std::to_string(number_.real);
  }
  return (number_.negative != 0 ? "-" : "") + std::to_string(number_.magnitude);
}

namespace {

core_number integer(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  core_number result{};
  result.kind = CORE_INTEGER;
  result.negative = static_cast<std::int32_t>(number < 0);
  result.magnitude = number < 0 ? 0 - bits : bits;
  return result;
}

core_number unsigned_integer(std::uint64_t number) {
  core_number result{};
  result.kind = CORE_INTEGER;
  result.magnitude = number;
  return result;
}

core_number real(double number) {
  core_number result{};
  result.kind = CORE_REAL;
  result.real = number;
  return result;
}

core_number complex(std::complex<double> number) {
  core_number result{};
  result.kind = CORE_COMPLEX;
  result.real = number.real();
  result.imaginary = number.imag();
  return result;
}

/// float16 as IEEE 754 has it: a sign, 5 bits of exponent and 10 of fraction.
double half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(fraction + 1024, exponent - 25);
  return (bits >> 15) != 0 ? -magnitude : magnitude;
}

} // namespace

core_number to_c(const host::Value &value) {
  switch (value.dtype) {
  case host::DType::Bool: {
    core_number result = unsigned_integer(value.as<bool>() ? 1 : 0);
    result.kind = CORE_BOOL;
    return result;
  }
  case host::DType::I8:
    return integer(value.as<std::int8_t>());
  case host::DType::U8:
    return unsigned_integer(value.as<std::uint8_t>());
  case host::DType::I16:
    return integer(value.as<std::int16_t>());
  case host::DType::U16:
    return unsigned_integer(value.as<std::uint16_t>());
  case host::DType::I32:
    return integer(value.as<std::int32_t>());
  case host::DType::U32:
    return unsigned_integer(value.as<std::uint32_t>());
  case host::DType::I64:
    return integer(value.as<std::int64_t>());
  case host::DType::U64:
    return unsigned_integer(value.as<std::uint64_t>());
  case host::DType::F16:
    return real(half(value.as<std::uint16_t>()));
  case host::DType::F32:
    return real(static_cast<double>(value.as<float>()));
  case host::DType::F64:
    return real(value.as<double>());
  case host::DType::C64:
    return complex(value.as<std::complex<float>>());
  default:
    return complex(value.as<std::complex<double>>());
  }
}

} // namespace core
