// Numbers of a call.
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <string_view>

#include <host/functions.hpp>

namespace host::xla {

/// A number that is known when the program is made. What needs its words throws `NotHere`: messages
/// are Python's.
class Known final : public Number {
public:
  /// Reads a word such as `b1`, `i-3`, or `f` or `c` and the bits of one or two `double`.
  explicit Known(std::string_view word);

  std::optional<Integer> integer() const override;
  double real() const override;
  std::complex<double> complex() const override;
  std::string type() const override;
  std::string text() const override;

private:
  char kind_;
  Integer integer_;
  std::array<double, 2> parts_{};
};

} // namespace host::xla
