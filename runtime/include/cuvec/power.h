// Powers and square roots of a declaration, calculated while the compiler runs: the nearest double.
// An intermediate value is the sum of two doubles, which has more than a hundred bits.
#pragma once

#include <cstdint>
#include <limits>

namespace cuvec::detail {

/// The sum of two doubles, the second of them less than the last bit of the first.
struct TwoDoubles {
  double high, low;

  static constexpr TwoDoubles sum(double large, double small) {
    const double high = large + small;
    return {high, small - (high - large)};
  }
  /// Exactly, of numbers between 1 and 4.
  static constexpr TwoDoubles product(double x, double y) {
    const TwoDoubles a = halves(x), b = halves(y);
    const double high = x * y;
    return {high, ((a.high * b.high - high) + a.high * b.low + a.low * b.high) + a.low * b.low};
  }
  constexpr TwoDoubles times(const TwoDoubles &other) const {
    const TwoDoubles whole = product(high, other.high);
    return sum(whole.high, whole.low + (high * other.low + low * other.high));
  }
  constexpr TwoDoubles inverse() const {
    const double first = 1 / high;
    const TwoDoubles whole = product(first, high);
    return sum(first, ((1 - whole.high) - whole.low - first * low) / high);
  }

private:
  /// The first and the last 26 bits.
  static constexpr TwoDoubles halves(double x) {
    const double scaled = 134217729 * x; // 2^27 + 1
    const double high = scaled - (scaled - x);
    return {high, x - high};
  }
};

/// A positive number: what is between 1 and 2, times a power of two.
struct Scaled {
  TwoDoubles value;
  std::int64_t exponent;

  static constexpr Scaled of(TwoDoubles value, std::int64_t exponent = 0) {
    for (; value.high >= 2; ++exponent) {
      value = {value.high / 2, value.low / 2};
    }
    for (; value.high < 1; --exponent) {
      value = {value.high * 2, value.low * 2};
    }
    return {value, exponent};
  }
  constexpr Scaled times(const Scaled &other) const {
    return of(value.times(other.value), exponent + other.exponent);
  }
  /// Infinity and zero beyond what doubles are.
  constexpr double real() const {
    double real = value.high;
    for (std::int64_t n = exponent; n > 0; --n) {
      if (real > std::numeric_limits<double>::max() / 2) {
        return std::numeric_limits<double>::infinity();
      }
      real *= 2;
    }
    for (std::int64_t n = exponent; n < 0 && real > 0; ++n) {
      real /= 2;
    }
    return real;
  }
};

/// `x` to the power of `n`, of any `x` but zero.
constexpr double power(double x, std::int64_t n) {
  constexpr std::int64_t beyond =
      4096; // what no double has as an exponent, and none gets back from
  Scaled square = Scaled::of({x < 0 ? -x : x, 0}), found = Scaled::of({1, 0});
  for (std::int64_t rest = n; rest != 0; rest /= 2) {
    found = rest % 2 != 0 ? found.times(square) : found;
    const bool ends = square.exponent > beyond || square.exponent < -beyond;
    square = ends ? square : square.times(square);
  }
  found = n < 0 ? Scaled::of(found.value.inverse(), -found.exponent) : found;
  return x < 0 && n % 2 != 0 ? -found.real() : found.real();
}

/// The square root of a number that is positive.
constexpr double square_root(double x) {
  Scaled scaled = Scaled::of({x, 0});
  const bool is_odd = scaled.exponent % 2 != 0;
  const double y = is_odd ? 2 * scaled.value.high : scaled.value.high; // between 1 and 4
  double root = 1.5;
  for (int step = 0; step < 6; ++step) {
    root = (root + y / root) / 2;
  }
  // An exact comparison with the middle of two doubles decides which one is nearest.
  const double last = std::numeric_limits<double>::epsilon();
  const TwoDoubles square = TwoDoubles::product(root, root);
  const double rest = (y - square.high) - square.low;
  root += rest > root * last ? last : rest <= -root * last ? -last : 0;
  return Scaled{{root, 0}, (scaled.exponent - int(is_odd)) / 2}.real();
}

} // namespace cuvec::detail
