#include "number.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "not_here.hpp"

namespace host::xla {

namespace {

std::uint64_t digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const char *begin = text.data();
  const char *end = begin + text.size();
  if (text.empty() || std::from_chars(begin, end, value, base).ptr != end) {
    throw NotHere();
  }
  return value;
}

} // namespace

Known::Known(std::string_view word) : kind_(word.front()) {
  const std::string_view value = word.substr(1);
  switch (kind_) {
  case 'b':
  case 'i':
    integer_.negative = !value.empty() && value.front() == '-';
    integer_.magnitude = digits(value.substr(integer_.negative ? 1 : 0), 10);
    parts_[0] = static_cast<double>(integer_.magnitude) * (integer_.negative ? -1 : 1);
    break;
  default:
    for (std::size_t part = 0; part < (kind_ == 'c' ? 2 : 1); ++part) {
      const std::uint64_t bits = digits(value.substr(std::min(16 * part, value.size()), 16), 16);
      std::memcpy(&parts_[part], &bits, sizeof bits);
    }
  }
}

std::optional<Integer> Known::integer() const {
  return kind_ == 'b' || kind_ == 'i' ? std::optional(integer_) : std::nullopt;
}

double Known::real() const {
  if (kind_ == 'c') {
    throw NotHere();
  }
  return parts_[0];
}

std::complex<double> Known::complex() const { return {parts_[0], parts_[1]}; }

std::string Known::type() const { throw NotHere(); }

std::string Known::text() const { throw NotHere(); }

} // namespace host::xla
