// Ways across the bridge that the functions of the package do not take, for the tests in
// tests/test_cxx_*.py: errors and panics of Rust, C++ that Rust calls, and vectors. They are in
// `_core._crossings`, which no other code uses. Delete them and those tests together.

#include "crossings.hpp"

#include <map>
#include <numeric>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "../python/unlocked.hpp"
#include "../vectors.hpp"
#include "buffer.hpp"

using namespace nb::literals;

namespace {

void fail_in_rust(std::string_view kind, std::string_view text) {
  const std::map<std::string_view, rs::ErrorKind> kinds{{"type", rs::ErrorKind::Type},
                                                        {"value", rs::ErrorKind::Value},
                                                        {"memory", rs::ErrorKind::Memory},
                                                        {"runtime", rs::ErrorKind::Runtime}};
  host::checked([&] { rs::fail(kinds.at(kind), {text.data(), text.size()}); });
}

void panic_in_rust(std::string_view text, bool on_thread) {
  host::checked([&] { rs::panic({text.data(), text.size()}, on_thread); });
}

/// Python's function as the body of a loop that Rust runs.
void call_from_rust(std::size_t count, const nb::callable &body) {
  const python::Unlocked unlocked; // the threads take the GIL in turn
  host::in_parallel(count, [&body](std::size_t begin, std::size_t end) {
    const nb::gil_scoped_acquire locked;
    body(begin, end);
  });
}

void throw_to_rust(bool standard) {
  host::in_parallel(1, [standard](std::size_t, std::size_t) {
    if (standard) {
      throw std::out_of_range("thrown by C++");
    }
    throw 42;
  });
}

/// 0, 1, …, n - 1, computed by C++ in memory of Rust's that Python then shares.
Buffer count_up(std::size_t n) {
  host::CuVec<float> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  const auto block = host::lent_block(numbers.data());
  return {block ? block : host::Block::allocate(0), host::DType::F32, {n}};
}

/// Sum of 1 + a * x[i] * x[i], by way of vectors.
template <typename Vector> double sum_with_vectors(float a, const std::vector<float> &numbers) {
  const Vector x(numbers.begin(), numbers.end());
  Vector y(numbers.size(), 0);
  const Vector ones(numbers.size(), 1);
  host::axpy(a, x, y);
  return host::dot(x, y) + host::dot(ones, ones);
}

} // namespace

void add_crossings(nb::module_ &module) {
  using Unlocked = nb::call_guard<python::Unlocked>;
  auto crossings = module.def_submodule("_crossings", "Ways across the bridge, for tests.");
  crossings.def("fail_in_rust", &fail_in_rust, "kind"_a, "text"_a);
  crossings.def("panic_in_rust", &panic_in_rust, "text"_a, "on_thread"_a, Unlocked());
  crossings.def("call_from_rust", &call_from_rust, "count"_a, "body"_a);
  crossings.def("throw_to_rust", &throw_to_rust, "standard"_a, Unlocked());
  crossings.def("count_up", &count_up, "n"_a);
  crossings.def("sum_with_cuvecs", &sum_with_vectors<host::CuVec<float>>, "a"_a, "numbers"_a);
  crossings.def("sum_with_vectors", &sum_with_vectors<std::vector<float>>, "a"_a, "numbers"_a);
}
