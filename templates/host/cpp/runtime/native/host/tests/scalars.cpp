// Numbers of callers, as the dtypes that functions want.
#include "functions/scalars.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <host/error.hpp>

#include "call.hpp"
#include "test.hpp"

using host::DType;
using host::OverflowError;

namespace {

constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();
constexpr double ENDLESS = std::numeric_limits<double>::infinity();

template <typename T> host::Value convert(DType dtype, T number) {
  return host::scalars::convert("a", dtype, *Literal::of(number));
}

/// Converts the smallest and the largest number of an integer type, and those beside
/// them.
template <typename T> void ends() {
  const DType dtype = host::dtype_of<T>();
  constexpr T SMALLEST = std::numeric_limits<T>::min();
  constexpr T LARGEST = std::numeric_limits<T>::max();
  const std::string complaint = " does not fit into " + std::string(host::name(dtype));
  CHECK(convert(dtype, SMALLEST).template as<T>() == SMALLEST);
  CHECK(convert(dtype, LARGEST).template as<T>() == LARGEST);
  CHECK(convert(dtype, LARGEST).dtype == dtype);
  CHECK(convert(dtype, false).template as<T>() == 0 && convert(dtype, true).template as<T>() == 1);
  if constexpr (sizeof(T) < sizeof(std::int64_t)) {
    const auto below = static_cast<std::int64_t>(SMALLEST) - 1;
    const auto above = static_cast<std::int64_t>(LARGEST) + 1;
    CHECK_THROWS(convert(dtype, below), OverflowError, "a = " + std::to_string(below) + complaint);
    CHECK_THROWS(convert(dtype, above), OverflowError, "a = " + std::to_string(above) + complaint);
  }
  if constexpr (std::is_unsigned_v<T>) {
    CHECK_THROWS(convert(dtype, -1), OverflowError, "a = -1" + complaint);
  }
  CHECK_THROWS(host::scalars::convert("a", dtype, *Literal::huge()), OverflowError,
               "a = a larger number" + complaint);
  CHECK_THROWS(convert(dtype, 2.0), host::TypeError, "a must be an integer, not float");
}

std::uint16_t half(double number) { return convert(DType::F16, number).as<std::uint16_t>(); }

} // namespace

TEST(integers_keep_their_value_or_raise) {
  ends<std::int8_t>();
  ends<std::uint8_t>();
  ends<std::int16_t>();
  ends<std::uint16_t>();
  ends<std::int32_t>();
  ends<std::uint32_t>();
  ends<std::int64_t>();
  ends<std::uint64_t>();
}

TEST(the_ends_of_64_bits_are_told_apart) {
  constexpr auto LARGEST = std::numeric_limits<std::uint64_t>::max();
  CHECK_THROWS(convert(DType::I64, LARGEST), OverflowError,
               "a = 18446744073709551615 does not fit into int64");
  constexpr auto BEYOND = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + 1;
  CHECK_THROWS(convert(DType::I64, BEYOND), OverflowError, "does not fit into int64");
  CHECK(convert(DType::U64, BEYOND).as<std::uint64_t>() == BEYOND);
}

TEST(a_bool_is_0_or_1) {
  CHECK(convert(DType::Bool, true).as<bool>() && !convert(DType::Bool, false).as<bool>());
  CHECK(convert(DType::Bool, 1).as<bool>() && !convert(DType::Bool, 0).as<bool>());
  CHECK_THROWS(convert(DType::Bool, 2), OverflowError, "a = 2 does not fit into bool");
  CHECK_THROWS(convert(DType::Bool, -1), OverflowError, "a = -1 does not fit into bool");
  CHECK_THROWS(convert(DType::Bool, 1.0), host::TypeError, "a must be an integer, not float");
}

TEST(real_numbers_are_rounded_but_never_to_infinity) {
  CHECK(convert(DType::F64, 1e300).as<double>() == 1e300);
  CHECK(convert(DType::F32, 0.1).as<float>() == 0.1F);
  CHECK(convert(DType::F32, 1e-300).as<float>() == 0.0F);
  CHECK(convert(DType::F32, 3).as<float>() == 3.0F);
  CHECK_THROWS(convert(DType::F32, 1e300), OverflowError, "a = 1e+300 does not fit into float32");
  CHECK_THROWS(convert(DType::F32, -1e300), OverflowError, "a = -1e+300 does not fit");
  CHECK(convert(DType::F32, ENDLESS).as<float>() == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(convert(DType::F32, NOT_A_NUMBER).as<float>()));
  CHECK(std::isnan(convert(DType::F64, NOT_A_NUMBER).as<double>()));
}

TEST(halves_are_those_of_ieee_754) {
  CHECK(half(0.0) == 0 && half(-0.0) == 0x8000 && half(1.0) == 0x3c00 && half(-2.0) == 0xc000);
  CHECK(half(65504.0) == 0x7bff); // the largest
  CHECK(half(65519.0) == 0x7bff);
  CHECK_THROWS(half(65520.0), OverflowError, "a = 65520 does not fit into float16");
  CHECK_THROWS(half(1e300), OverflowError, "a = 1e+300 does not fit into float16");
  CHECK(half(ENDLESS) == 0x7c00 && half(-ENDLESS) == 0xfc00 && half(NOT_A_NUMBER) == 0x7e00);
  CHECK(half(std::ldexp(1.0, -24)) == 1); // the smallest
  CHECK(half(std::ldexp(1.0, -26)) == 0);
  CHECK(half(1.0 + std::ldexp(1.0, -11)) == 0x3c00); // a tie goes to the even one
  CHECK(half(1.0 + 3 * std::ldexp(1.0, -11)) == 0x3c02);
}

TEST(complex_numbers_keep_both_parts) {
  const std::complex<double> number{0.5, -0.1};
  CHECK(convert(DType::C128, number).as<std::complex<double>>() == number);
  CHECK(convert(DType::C64, number).as<std::complex<float>>() == std::complex<float>(0.5F, -0.1F));
  CHECK(convert(DType::C64, 2).as<std::complex<float>>() == 2.0F);
  const std::complex<double> large{0.0, 1e300};
  CHECK_THROWS(convert(DType::C64, large), OverflowError, "a = 1e+300 does not fit into complex64");
}

TEST(defaults_are_converted_too) {
  const cuvec_number minus{1, -3, -3.0};
  const cuvec_number half{0, 0, 0.5};
  CHECK(host::scalars::convert("a", DType::I8, minus).as<std::int8_t>() == -3);
  CHECK(host::scalars::convert("a", DType::F32, minus).as<float>() == -3.0F);
  CHECK(host::scalars::convert("a", DType::C128, half).as<std::complex<double>>() == 0.5);
  CHECK_THROWS(host::scalars::convert("a", DType::U8, minus), OverflowError,
               "a = -3 does not fit into uint8");
  CHECK_THROWS(host::scalars::convert("a", DType::I32, half), host::TypeError,
               "the default of a must be an integer");
  const cuvec_number smallest{1, std::numeric_limits<std::int64_t>::min(), -9.3e18};
  CHECK(host::scalars::convert("a", DType::I64, smallest).as<std::int64_t>() == smallest.integer);
}

TEST(sizes_are_integers_of_64_bits) {
  const auto size = [](DType dtype, auto number) {
    return host::scalars::to_int64(convert(dtype, number));
  };
  for (const DType dtype : {DType::I8, DType::I16, DType::I32, DType::I64}) {
    CHECK(size(dtype, -100) == -100);
  }
  for (const DType dtype : {DType::U8, DType::U16, DType::U32, DType::U64}) {
    CHECK(size(dtype, 200) == 200);
  }
  constexpr auto LARGEST = std::numeric_limits<std::uint64_t>::max();
  CHECK(size(DType::U64, LARGEST) == std::numeric_limits<std::int64_t>::max());
}

TEST(a_number_of_every_dtype_goes_there_and_back) {
  const std::vector<std::int8_t> small{-7};
  CHECK(call("first", {plain(small)})[0].value.as<std::int8_t>() == -7);
  const std::vector<std::uint64_t> large{std::numeric_limits<std::uint64_t>::max()};
  CHECK(call("first", {plain(large)})[0].value.as<std::uint64_t>() == large[0]);
  const std::vector<std::complex<double>> complex{{1.0, -2.0}};
  CHECK(call("first", {plain(complex)})[0].value.as<std::complex<double>>() == complex[0]);
  std::vector<std::int16_t> y(3);
  call("fill", {plain(y), -300});
  CHECK(y[2] == -300);
  CHECK_THROWS(call("fill", {plain(y), 40'000}), OverflowError,
               "a = 40000 does not fit into int16");
  CHECK(y[2] == -300);
}
