// Decimal numbers of a declaration, read while the compiler runs: the nearest double, as Python and
// Rust read them.
#pragma once

#include <cstdint>
#include <limits>

namespace cuvec::detail {

/// A natural number below 2 to the power of 1408.
class Natural {
public:
  constexpr explicit Natural(std::uint32_t value) { limbs_[0] = value; }

  constexpr void multiply_add(std::uint32_t factor, std::uint32_t term) {
    std::uint64_t carry = term;
    for (std::uint32_t &limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  constexpr void times_power(std::uint32_t base, int exponent) {
    const std::uint32_t cube = base * base * base;
    for (; exponent >= 9; exponent -= 9) {
      multiply_add(cube * cube * cube, 0);
    }
    for (; exponent > 0; --exponent) {
      multiply_add(base, 0);
    }
  }
  constexpr int bits() const {
    int n = 32 * size;
    while (n > 0 && (limbs_[(n - 1) / 32] >> ((n - 1) % 32) & 1) == 0) {
      --n;
    }
    return n;
  }
  /// Negative, zero or positive.
  constexpr int compare(const Natural &other) const {
    int i = size - 1;
    while (i > 0 && limbs_[i] == other.limbs_[i]) {
      --i;
    }
    return limbs_[i] < other.limbs_[i] ? -1 : limbs_[i] > other.limbs_[i] ? 1 : 0;
  }
  constexpr void subtract(const Natural &other) {
    std::int64_t borrow = 0;
    for (int i = 0; i < size; ++i) {
      borrow += std::int64_t{limbs_[i]} - std::int64_t{other.limbs_[i]};
      limbs_[i] = static_cast<std::uint32_t>(borrow);
      borrow = borrow < 0 ? -1 : 0;
    }
  }

private:
  static constexpr int size = 44;
  std::uint32_t limbs_[size] = {};
};

/// A decimal number, digit by digit.
class Decimal {
public:
  static constexpr int max_digits = 40;

  constexpr void digit(char letter) {
    digits_ += digits_ > 0 || letter != '0' ? 1 : 0;
    if (digits_ <= max_digits) {
      number_.multiply_add(10, static_cast<std::uint32_t>(letter - '0'));
    }
  }
  constexpr void times_ten_to(int exponent) { exponent_ += exponent; }

  constexpr bool is_too_long() const { return digits_ > max_digits; }

  /// The nearest double, the even one of two; infinity beyond all of them.
  constexpr double value() const {
    if (digits_ == 0 || digits_ + exponent_ < -330) {
      return 0;
    }
    if (digits_ + exponent_ > 310) {
      return infinity;
    }
    Natural numerator = number_, denominator{1};
    numerator.times_power(10, exponent_);
    denominator.times_power(10, -exponent_);
    return nearest(numerator, denominator);
  }

private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr int precision = 53, lowest = -1022, highest = 1023; // of exponents

  static constexpr double nearest(Natural numerator, Natural denominator) {
    // Between 1 and 2, times 2 to this exponent.
    int exponent = numerator.bits() - denominator.bits();
    numerator.times_power(2, -exponent);
    denominator.times_power(2, exponent);
    if (numerator.compare(denominator) < 0) {
      numerator.multiply_add(2, 0);
      --exponent;
    }
    const int bits = exponent < lowest ? precision - (lowest - exponent) : precision;
    if (bits < 0) {
      return 0;
    }
    std::uint64_t mantissa = 0;
    for (int bit = 0; bit < bits; ++bit) {
      const bool is_set = numerator.compare(denominator) >= 0;
      mantissa = 2 * mantissa + (is_set ? 1 : 0);
      if (is_set) {
        numerator.subtract(denominator);
      }
      numerator.multiply_add(2, 0);
    }
    const int rest = numerator.compare(denominator); // with a half
    mantissa += rest > 0 || (rest == 0 && mantissa % 2 == 1) ? 1 : 0;
    const bool carries = mantissa == std::uint64_t{1} << precision;
    if (exponent + (carries ? 1 : 0) > highest) {
      return infinity;
    }
    double value = static_cast<double>(mantissa);
    for (int power = exponent - bits + 1; power != 0; power += power < 0 ? 1 : -1) {
      value *= power < 0 ? 0.5 : 2.0;
    }
    return value;
  }

  Natural number_{0};
  int digits_ = 0, exponent_ = 0;
};

} // namespace cuvec::detail
