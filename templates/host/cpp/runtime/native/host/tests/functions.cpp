// The table of declared functions, and how what their bodies do comes back.
#include <host/functions.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <host/error.hpp>

#include "call.hpp"
#include "test.hpp"

using host::Parameter;

namespace {

const host::Function &function(const std::string &name) {
  return host::functions()[function_of(name)];
}

} // namespace

TEST(functions_are_listed_by_name) {
  const auto &all = host::functions();
  CHECK(std::is_sorted(all.begin(), all.end(),
                       [](const auto &a, const auto &b) { return a.name < b.name; }));
  CHECK(function("axpy").signature ==
        "axpy<T: float32, float64>(a: T, x: T(...), y: inout T(...))");
  CHECK(function("axpy").doc == "Add `a * x` to `y`, element by element, in place.");
}

TEST(parameters_are_described) {
  const auto &gemv = function("gemv").parameters;
  CHECK(gemv.size() == 5);
  CHECK(gemv[0].name == "a" && gemv[0].kind == Parameter::Kind::Array);
  CHECK(gemv[0].type == "T(m, n)" && !gemv[0].keyword_only && gemv[0].fallback.empty());
  CHECK(gemv[2].name == "alpha" && gemv[2].kind == Parameter::Kind::Number);
  CHECK(gemv[2].keyword_only && gemv[2].fallback == "1" && gemv[2].type == "T");
  CHECK(gemv[3].fallback == "-0.5");
  CHECK(gemv[4].name == "y" && gemv[4].kind == Parameter::Kind::Result && gemv[4].is_result());
  CHECK(function("spin").parameters[1].fallback == "False");
  const auto &pieces = function("pieces").parameters;
  CHECK(pieces[2].type == "int32(2*n+1,)" && pieces[3].name.empty());
  CHECK(pieces[4].kind == Parameter::Kind::NumberResult && pieces[4].is_result());
}

TEST(defaults_are_taken_where_nothing_is_given) {
  const std::vector<double> a{1.0, 2.0, 3.0, 4.0};
  const std::vector<double> x{1.0, 10.0};
  const auto square = plain(a, host::Shape{2, 2});
  CHECK((call("gemv", {square, plain(x)})[0].elements<double>() == std::vector{20.5, 42.5}));
  CHECK((call("gemv", {square, plain(x), 2, 1})[0].elements<double>() == std::vector{43.0, 87.0}));
}

TEST(a_function_without_arrays_is_one_too) {
  const auto result = call("iota", {std::int64_t{4}, 7}).at(0);
  CHECK((result.elements<std::int64_t>() == std::vector<std::int64_t>{7, 6, 5, 4}));
}

TEST(scratch_memory_lasts_for_a_call) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20U}) {
    std::vector<float> x(n);
    x[n / 2] = 16.0F;
    const auto y = call("smooth", {plain(x)}).at(0).elements<float>();
    CHECK(y[n / 2] == (n == 1 ? 16.0F : 6.0F));
    CHECK(n < 5 || (y[n / 2 - 1] == 4.0F && y[n / 2 + 2] == 1.0F && y[n / 2 + 3] == 0.0F));
  }
}

TEST(exceptions_of_bodies_come_back) {
  for (const bool threads : {false, true}) {
    if (threads && !on_the_cpu()) {
      continue;
    }
    std::vector<int> y(1000);
    const auto array = plain(y);
    CHECK_THROWS(call("fail", {1, array, threads}), host::ValueError, "a wrong value");
    CHECK_THROWS(call("fail", {2, array, threads}), host::MemoryError, "");
    CHECK_THROWS(call("fail", {3, array, threads}), host::RuntimeError, "it went wrong");
    CHECK_THROWS(call("fail", {4, array, threads}), host::RuntimeError, "");
    call("fail", {0, array, threads});
  }
}
