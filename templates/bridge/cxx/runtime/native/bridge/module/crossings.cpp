// Ways across the bridge that the functions of the package do not take, for the tests in
// runtime/tests/test_cxx_*.py: errors and panics of Rust, C++ that Rust calls, and vectors. They
// are in `_core._crossings`, which no other code uses.

#include "crossings.hpp"

#include <map>
#include <numeric>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <host/cuvec.hpp>
#include <host/functions.hpp>
#include <python/buffer.hpp>
#include <python/error.hpp>
#include <python/unlocked.hpp>

#include "loops.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

/// Runs something whose errors may be the host's, of which nanobind knows nothing.
template <typename Work> auto translated(const Work &work) {
  try {
    return work();
  } catch (const host::Error &) {
    python::set_error();
    nb::raise_python_error();
  }
}

void fail_in_rust(std::string_view kind, std::string_view text) {
  const std::map<std::string_view, rs::ErrorKind> kinds{{"type", rs::ErrorKind::Type},
                                                        {"value", rs::ErrorKind::Value},
                                                        {"overflow", rs::ErrorKind::Overflow},
                                                        {"memory", rs::ErrorKind::Memory},
                                                        {"runtime", rs::ErrorKind::Runtime}};
  translated([&] { host::checked([&] { rs::fail(kinds.at(kind), {text.data(), text.size()}); }); });
}

void panic_in_rust(std::string_view text, bool on_thread) {
  translated([&] {
    const python::Unlocked unlocked;
    host::checked([&] { rs::panic({text.data(), text.size()}, on_thread); });
  });
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
  translated([&] {
    const python::Unlocked unlocked;
    host::in_parallel(1, [standard](std::size_t, std::size_t) {
      if (standard) {
        throw std::out_of_range("thrown by C++");
      }
      throw 42;
    });
  });
}

/// 0, 1, …, n - 1, computed by C++ in memory of Rust's that Python then shares.
nb::object count_up(std::size_t n) {
  return translated([&] {
    host::CuVec<float> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0.0F);
    auto block = host::lent_block(numbers.data());
    if (block == nullptr) {
      block = host::Block::allocate(0);
    }
    return nb::steal(python::make_buffer(std::move(block), host::DType::F32, {n}).release());
  });
}

/// A number of C++, as an argument of a function.
class Factor final : public host::Number {
public:
  explicit Factor(double value) : value_(value) {}

  std::optional<host::Integer> integer() const override { return std::nullopt; }
  double real() const override { return value_; }
  std::complex<double> complex() const override { return value_; }
  std::string type() const override { return "double"; }
  std::string text() const override { return std::to_string(value_); }

private:
  double value_;
};

host::Array array_of(const host::CuVec<float> &vector) { return host::array(vector, true); }

host::Array array_of(const std::vector<float> &vector) {
  host::Array array;
  array.address = reinterpret_cast<std::uintptr_t>(vector.data());
  array.shape = {vector.size()};
  return array;
}

/// What a declared function makes of zeros, given a number, an array to read and one to write: all
/// from C++.
template <typename Vector>
std::vector<float> call_with(const std::string &name, double factor,
                             const std::vector<float> &numbers) {
  return translated([&] {
    const auto &functions = host::functions();
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const host::Function &f) { return f.name == name; });
    if (found == functions.end()) {
      throw host::ValueError("there is no function " + name);
    }
    const Vector x(numbers.begin(), numbers.end());
    const Vector y(numbers.size(), 0);
    const Factor number(factor);
    const host::Array read = array_of(x);
    const host::Array written = array_of(y);
    const std::array<host::Given, 3> given{
        {{nullptr, &number, {}}, {&read, nullptr, {}}, {&written, nullptr, {}}}};
    host::Invocation call(static_cast<std::size_t>(found - functions.begin()), given.data());
    call.run({});
    return std::vector<float>(y.begin(), y.end());
  });
}

} // namespace

void add_crossings(nb::module_ &module) {
  auto crossings = module.def_submodule("_crossings", "Ways across the bridge, for tests.");
  crossings.def("fail_in_rust", &fail_in_rust, "kind"_a, "text"_a);
  crossings.def("panic_in_rust", &panic_in_rust, "text"_a, "on_thread"_a);
  crossings.def("call_from_rust", &call_from_rust, "count"_a, "body"_a);
  crossings.def("throw_to_rust", &throw_to_rust, "standard"_a);
  crossings.def("count_up", &count_up, "n"_a);
  crossings.def("call_with_cuvecs", &call_with<host::CuVec<float>>, "name"_a, "factor"_a,
                "numbers"_a);
  crossings.def("call_with_vectors", &call_with<std::vector<float>>, "name"_a, "factor"_a,
                "numbers"_a);
}
