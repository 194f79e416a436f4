// Calls of declared functions, as a caller in C++ makes them.
#pragma once

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <host/array.hpp>
#include <host/functions.hpp>

/// A number as it is written: an integer of any size, a real or a complex one.
class Literal : public host::Number {
public:
  template <typename T> static std::shared_ptr<Literal> of(T value) {
    auto literal = std::make_shared<Literal>();
    if constexpr (std::is_integral_v<T>) {
      literal->set_integer(value < T{}, static_cast<std::uint64_t>(value));
    } else {
      literal->value_ = value;
      literal->text_ = std::to_string(literal->value_.real());
    }
    return literal;
  }

  /// A larger integer than 64 bits hold.
  static std::shared_ptr<Literal> huge();

  std::optional<host::Integer> integer() const override { return integer_; }
  double real() const override { return value_.real(); }
  std::complex<double> complex() const override { return value_; }
  std::string type() const override { return "float"; }
  std::string text() const override { return text_; }

private:
  void set_integer(bool negative, std::uint64_t bits);

  std::optional<host::Integer> integer_;
  std::complex<double> value_;
  std::string text_;
};

/// What is given for a parameter: an array, a number, or `{}` for a default or a new
/// result.
class Argument {
public:
  Argument() = default;
  // NOLINTBEGIN(*-explicit-*): they stand for what is written in a list
  Argument(const host::Array &array) : array_(std::make_shared<host::Array>(array)) {}
  Argument(std::shared_ptr<Literal> number) : number_(std::move(number)) {}
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Argument(T number) : number_(Literal::of(number)) {}
  // NOLINTEND(*-explicit-*)

  host::Given given() const { return {array_.get(), number_.get(), {}}; }

private:
  std::shared_ptr<const host::Array> array_;
  std::shared_ptr<const Literal> number_;
};

/// A result that the caller did not give: a new array, or a number.
struct Result {
  host::DType dtype;
  host::Shape shape;
  std::shared_ptr<host::Block> block; ///< null for a number
  host::Value value;

  template <typename T> std::vector<T> elements() const {
    const auto *first = reinterpret_cast<const T *>(block->address());
    std::size_t count = 1;
    for (const std::size_t extent : shape) {
      count *= extent;
    }
    return {first, first + count};
  }
};

/// The index of a function among `host::functions()`.
std::size_t function_of(const std::string &name);

/// Calls a function and waits. `arguments` may be fewer than it has. Returns its new
/// results.
std::vector<Result> call(const std::string &name, std::initializer_list<Argument> arguments);

/// Whether calls run on the CPU here: some promises are of the CPU path alone.
bool on_the_cpu();

/// A C-contiguous array of the caller's, by default with one axis; read-only if the vector is
/// constant.
template <typename Vector>
host::Array plain(Vector &values, const std::optional<host::Shape> &shape = {}) {
  host::Array array;
  array.address = reinterpret_cast<std::uintptr_t>(values.data());
  array.dtype = host::dtype_of<typename Vector::value_type>();
  array.shape = shape.value_or(host::Shape{values.size()});
  array.writable = !std::is_const_v<Vector>;
  return array;
}
