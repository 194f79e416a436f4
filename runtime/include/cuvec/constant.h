// Arithmetic of defaults, while the compiler runs: integers stay integers, except in quotients,
// square roots, and powers whose exponent is negative.
#pragma once

#include <cstdint>
#include <limits>

#include "abi.h"
#include "power.h"

namespace cuvec::detail {

/// A number, if it is one that a declaration can have: an overflow, or one that is not finite,
/// would end the compiler.
struct Calculated {
  cuvec_number number{};
  bool is_defined = true, is_too_large = false;

  struct Constant {
    const char *name;
    double value;
  };
  static constexpr Constant constants[] = {{"pi", 3.14159265358979323846},
                                           {"e", 2.71828182845904523536}};

  static constexpr Calculated sum(const cuvec_number &x, const cuvec_number &y) {
    if (!are_finite(x, y)) {
      return {{}, false, false};
    }
    if (are_integers(x, y)) {
      const bool fits = y.integer < 0 ? x.integer >= Limits::min() - y.integer
                                      : x.integer <= Limits::max() - y.integer;
      return fits ? integer(x.integer + y.integer) : too_large();
    }
    // halves, which have a sum
    return magnitude(x.real / 2 + y.real / 2) <= most / 2 ? real(x.real + y.real) : too_large();
  }
  static constexpr Calculated negative(const cuvec_number &x) {
    if (x.is_integer != 0) {
      return x.integer == Limits::min() ? too_large() : integer(-x.integer);
    }
    return real(-x.real);
  }
  static constexpr Calculated difference(const cuvec_number &x, const cuvec_number &y) {
    const Calculated other = negative(y);
    return other.is_too_large ? other : sum(x, other.number);
  }
  static constexpr Calculated product(const cuvec_number &x, const cuvec_number &y) {
    const double a = magnitude(x.real), b = magnitude(y.real);
    if (!are_finite(x, y)) {
      return {{}, false, false};
    }
    if (are_integers(x, y)) {
      const bool fits = y.integer == 0 || x.integer == 0 || fit(x.integer, y.integer);
      return fits ? integer(x.integer * y.integer) : too_large();
    }
    return b <= 1 || a <= most / b ? real(x.real * y.real) : too_large();
  }
  static constexpr Calculated quotient(const cuvec_number &x, const cuvec_number &y) {
    const double a = magnitude(x.real), b = magnitude(y.real);
    if (!are_finite(x, y) || b == 0) {
      return {{}, false, false};
    }
    return b >= 1 || a <= most * b ? real(x.real / y.real) : too_large();
  }
  /// Calculates a power whose exponent is an integer.
  static constexpr Calculated power(const cuvec_number &x, const cuvec_number &y) {
    if (!are_finite(x, y) || y.is_integer == 0 || (x.real == 0 && y.integer < 0)) {
      return {{}, false, false};
    }
    if (x.is_integer == 0 || y.integer < 0) {
      const double found = x.real == 0 ? double(y.integer == 0) : detail::power(x.real, y.integer);
      return magnitude(found) <= most ? real(found) : too_large();
    }
    // Others are too large before the loop ends.
    const bool is_unit = x.integer >= -1 && x.integer <= 1;
    const std::int64_t count = is_unit && y.integer > 2 ? 2 - y.integer % 2 : y.integer;
    Calculated found = integer(1);
    for (std::int64_t n = 0; n < count && !found.is_too_large; ++n) {
      found = product(found.number, x);
    }
    return found;
  }
  static constexpr Calculated root(const cuvec_number &x) {
    if (!are_finite(x, x) || x.real < 0) {
      return {{}, false, false};
    }
    return real(x.real == 0 ? 0 : square_root(x.real));
  }

private:
  using Limits = std::numeric_limits<std::int64_t>;
  static constexpr double most = std::numeric_limits<double>::max();

  static constexpr double magnitude(double x) { return x < 0 ? -x : x; }
  static constexpr bool are_finite(const cuvec_number &x, const cuvec_number &y) {
    return magnitude(x.real) <= most && magnitude(y.real) <= most;
  }
  /// The lowest one has no positive counterpart, and is a product only of itself.
  static constexpr bool fit(std::int64_t x, std::int64_t y) {
    const std::int64_t low = x < y ? x : y, high = x < y ? y : x;
    return low == Limits::min()
               ? high == 1
               : (high < 0 ? -high : high) <= Limits::max() / (low < 0 ? -low : low);
  }
  static constexpr bool are_integers(const cuvec_number &x, const cuvec_number &y) {
    return x.is_integer != 0 && y.is_integer != 0;
  }
  static constexpr Calculated integer(std::int64_t x) {
    return {{1, x, static_cast<double>(x)}, true, false};
  }
  static constexpr Calculated real(double x) { return {{0, 0, x}, true, false}; }
  static constexpr Calculated too_large() { return {{}, true, true}; }
};

} // namespace cuvec::detail
