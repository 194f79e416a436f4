// A function whose result is a number.
#include <cuvec/plain.h> // before what nvcc compiles otherwise

#include <cuvec/cpu.h>

#include <vector>

#include <host/cuvec.hpp>

#include "call.hpp"
#include "test.hpp"

namespace {

constexpr std::size_t TASK = std::size_t{1} << 15U;

template <typename T> double dot(const std::vector<T> &x, const std::vector<T> &y) {
  return call("dot", {plain(x), plain(y)}).at(0).value.template as<double>();
}

} // namespace

TEST(dot_is_exact_where_every_partial_sum_is) {
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{9}, std::size_t{129}, 5 * TASK + 1, std::size_t{3} << 20U}) {
    std::vector<float> x(n);
    double expected = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i % 16);
      expected += static_cast<double>(x[i]) * x[i];
    }
    CHECK(dot(x, x) == expected);
  }
}

TEST(dot_of_many_is_the_sum_of_its_parts) {
  if (!on_the_cpu()) { // a GPU adds in another order, and loses less
    return;
  }
  constexpr std::size_t PARTS = 5;
  std::vector<double> x(PARTS * TASK);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0 / static_cast<double>(i + 1); // rounded sums, whose order can be told
  }
  std::vector<double> sums;
  for (std::size_t part = 0; part < PARTS; ++part) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(part * TASK);
    const std::vector<double> share(begin, begin + TASK);
    sums.push_back(dot(share, share));
  }
  const double sum = cuvec::sum(0, static_cast<std::int64_t>(PARTS), [&sums](std::int64_t part) {
    return sums[static_cast<std::size_t>(part)];
  });
  CHECK(dot(x, x) == sum);
}

TEST(equal_input_gives_equal_bits) {
  std::vector<double> x(10 * TASK + 3);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0 / static_cast<double>(i + 1);
  }
  const double first = dot(x, x);
  for (int i = 0; i < 20; ++i) {
    CHECK(dot(x, x) == first);
  }
}

TEST(a_number_that_is_given_an_array_is_written_there) {
  host::CuVec<float> x(1000, 2.0F);
  std::vector<double> total(1);
  const auto results = call("dot", {host::array(x), host::array(x), plain(total, host::Shape{})});
  CHECK(results.empty() && total[0] == 4000.0);
}

TEST(a_kernel_sees_the_address_of_a_vector) {
  const host::CuVec<double> x(10);
  const auto address = call("address", {host::array(x)}).at(0).value.as<std::uint64_t>();
  CHECK(address == reinterpret_cast<std::uintptr_t>(x.data()));
}
