// A function of one expression for each element, in place.
#include <algorithm>
#include <vector>

#include <host/cuvec.hpp>
#include <host/error.hpp>

#include "call.hpp"
#include "test.hpp"

namespace {

constexpr std::size_t TASK = std::size_t{1} << 15U;

} // namespace

TEST(axpy_of_every_length_around_a_task) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{7}, TASK - 1, TASK, TASK + 1,
                              3 * TASK + 5, std::size_t{3} << 20U}) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<double>(i % 16);
    }
    std::vector<double> y(n, 1.0);
    call("axpy", {2.0, plain(x), plain(y)});
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(y[i] == 1.0 + 2.0 * x[i]);
    }
  }
}

TEST(a_vector_is_an_argument) {
  host::CuVec<float> x(1000, 1.0F);
  host::CuVec<float> y(1000, 2.0F);
  CHECK(call("axpy", {3.0, host::array(x), host::array(y)}).empty());
  CHECK(std::all_of(y.begin(), y.end(), [](float value) { return value == 5.0F; }));
}

TEST(a_constant_vector_is_not_written_to) {
  const host::CuVec<float> x(10);
  const host::CuVec<float> y(10);
  CHECK_THROWS(call("axpy", {1, host::array(x), host::array(y)}), host::ValueError,
               "y is written to, but it is read-only");
}

TEST(an_empty_vector_is_an_empty_array) {
  host::CuVec<float> x;
  call("axpy", {1, host::array(x), host::array(x)});
  CHECK(call("dot", {host::array(x), host::array(x)})[0].value.as<double>() == 0.0);
}
