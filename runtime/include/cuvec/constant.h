// What defaults are calculated of, while the compiler runs: integers as such, but for quotients.
#pragma once

#include <cstdint>
#include <limits>

#include "abi.h"

namespace cuvec {

struct Constant {
  const char *name;
  double value;
};
inline constexpr Constant constants[] = {{"pi", 3.14159265358979323846},
                                         {"e", 2.71828182845904523536}};

/// A number, if it is one that a declaration can have. An overflow, or one that is not finite, would
/// end the compiler.
struct Calculated {
  cuvec_number number;
  bool is_defined = true, is_too_large = false;
};

constexpr double magnitude(double x) { return x < 0 ? -x : x; }
constexpr double largest = std::numeric_limits<double>::max();
constexpr bool is_finite(const cuvec_number &x) { return magnitude(x.real) <= largest; }
constexpr bool are_integers(const cuvec_number &x, const cuvec_number &y) {
  return x.is_integer != 0 && y.is_integer != 0;
}
constexpr Calculated too_large() { return {{}, true, true}; }

constexpr Calculated operator+(const cuvec_number &x, const cuvec_number &y) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (!is_finite(x) || !is_finite(y)) {
    return {{}, false};
  }
  if (are_integers(x, y)) {
    const bool fits = y.integer < 0 ? x.integer >= Limits::min() - y.integer
                                    : x.integer <= Limits::max() - y.integer;
    const std::int64_t sum = fits ? x.integer + y.integer : 0;
    return fits ? Calculated{{1, sum, static_cast<double>(sum)}} : too_large();
  }
  // halves, which have a sum
  const bool fits = magnitude(x.real / 2 + y.real / 2) <= largest / 2;
  return fits ? Calculated{{0, 0, x.real + y.real}} : too_large();
}

constexpr Calculated operator*(const cuvec_number &x, const cuvec_number &y) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (!is_finite(x) || !is_finite(y)) {
    return {{}, false};
  }
  if (are_integers(x, y)) {
    const auto most = magnitude(x.real) * magnitude(y.real);
    const bool fits = most < static_cast<double>(Limits::max() / 2); // no need to be exact
    const std::int64_t product = fits ? x.integer * y.integer : 0;
    return fits ? Calculated{{1, product, static_cast<double>(product)}} : too_large();
  }
  const double a = magnitude(x.real), b = magnitude(y.real);
  const bool fits = b <= 1 || a <= largest / b;
  return fits ? Calculated{{0, 0, x.real * y.real}} : too_large();
}

constexpr Calculated operator-(const cuvec_number &x, const cuvec_number &y) {
  if (y.is_integer == 0) {
    return x + cuvec_number{0, 0, -y.real};
  }
  return y.integer == std::numeric_limits<std::int64_t>::min()
             ? too_large()
             : x + cuvec_number{1, -y.integer, -y.real};
}

constexpr Calculated operator/(const cuvec_number &x, const cuvec_number &y) {
  const double a = magnitude(x.real), b = magnitude(y.real);
  if (!is_finite(x) || !is_finite(y) || b == 0) {
    return {{}, false};
  }
  const bool fits = b >= 1 || a <= largest * b;
  return fits ? Calculated{{0, 0, x.real / y.real}} : too_large();
}

} // namespace cuvec
