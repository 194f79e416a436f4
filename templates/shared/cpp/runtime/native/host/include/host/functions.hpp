// The functions that the package declares, as data, and how one is called.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "array.hpp"
#include "dtype.hpp"
#include "memory.hpp"
#include "shape.hpp"
#include "stream.hpp"

namespace host {

/// A parameter of a function, or one of its results.
struct Parameter {
  enum class Kind : std::uint8_t {
    Number,      ///< given by value
    Array,       ///< read, written, or both
    Result,      ///< an array that is new unless the caller gives it
    NumberResult ///< a number, unless the caller gives an array without axes
  };
  std::string name; ///< empty for a result without a name
  Kind kind;
  bool keyword_only;
  std::string fallback; ///< the default as Python writes it; empty when there is none
  std::string type;     ///< as it was declared, such as `T(m, n)`

  /// How messages name it: a result without a name is what the caller gives as `out`.
  const char *called() const { return name.empty() ? "out" : name.c_str(); }

  bool is_result() const { return kind == Kind::Result || kind == Kind::NumberResult; }
};

/// How many parameters and results a function has at most.
inline constexpr std::size_t MAX_ARGUMENTS = 16;

/// What a file in kernels/ declares. Its results come after its parameters.
struct Function {
  std::string name;
  std::string signature;
  std::string doc;
  std::vector<Parameter> parameters;
};

/// All of them, in the order of their names.
const std::vector<Function> &functions();

/// An integer of up to 64 bits, with a sign.
struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
  bool fits = true; ///< false for larger ones
};

/// A number as the caller has it. It is asked when the dtype is known, by the thread that makes
/// the `Invocation`; what it throws is passed on.
class Number {
public:
  Number() = default;
  Number(const Number &) = delete;
  Number &operator=(const Number &) = delete;
  virtual ~Number() = default;

  /// None when it is no integer.
  virtual std::optional<Integer> integer() const = 0;
  virtual double real() const = 0;
  virtual std::complex<double> complex() const = 0;
  /// What the caller calls it, for messages: the name of its type, and its value.
  virtual std::string type() const = 0;
  virtual std::string text() const = 0;
};

/// What a caller gives for a parameter: an array or a number; neither for the default, or for a
/// result that is to be new.
struct Given {
  const Array *array = nullptr;
  const Number *number = nullptr;
  std::optional<double> real; ///< the number as well, for `run_at_once`
};

/// A number of a dtype.
struct Value {
  DType dtype;
  alignas(16) std::array<std::byte, 16> bytes;

  template <typename T> T as() const {
    T value;
    std::copy_n(bytes.begin(), sizeof value, reinterpret_cast<std::byte *>(&value));
    return value;
  }
};

/// The call was interrupted by a signal whose handler has raised an exception: see
/// `set_interrupt_check`.
struct Interrupted : std::exception {
  const char *what() const noexcept override { return "interrupted by a signal"; }
};

/// Sets what long work on the CPU asks, on the thread of the call, whether it is to end.
void set_interrupt_check(bool (*check)());

/// A whole call of a function without results, whose numbers all have a `Given::real` or a default,
/// where that takes less than the steps of an `Invocation`; null where it does not. Nobody asks a
/// `Number`. False, and nothing is done, where a number is not what its dtype can hold: an
/// `Invocation` says what is wrong.
extern bool (*const run_at_once)(std::size_t function, const Given *given,
                                 std::optional<Stream> stream);

/// One call of a function. Making it checks the arguments, and touches none of them.
///
/// It throws
///   `TypeError`      for other dtypes and what is no number;
///   `ValueError`     for arrays of other shapes, that are not C-contiguous or on two devices, for
///                    written ones that are read-only or overlap with others;
///   `OverflowError`  for numbers that their dtype cannot hold.
class Invocation {
public:
  /// `given` has as many items as the function has parameters and results, which live until it
  /// has run.
  Invocation(std::size_t function, const Given *given);
  ~Invocation();
  Invocation(const Invocation &) = delete;
  Invocation &operator=(const Invocation &) = delete;

  /// A result that the caller did not give.
  struct New {
    std::size_t parameter;
    DType dtype;
    Shape shape;
  };

  /// The arrays among them, in order; each must be given before `run`.
  const std::vector<New> &missing() const;

  /// Memory for one of them, where the call will run.
  std::shared_ptr<Block> allocate(const New &result) const;

  /// Takes the array for a result; it must live until the call has run.
  void give(std::size_t parameter, const Array &array);

  /// Runs it, and with `stream` does not wait unless a number or memory of the host is involved.
  /// Other threads of the caller's may run meanwhile.
  void run(std::optional<Stream> stream);

  /// A result that is a number and was not given, once it has run.
  Value number(std::size_t parameter) const;

private:
  struct State;
  struct Destroy {
    void operator()(State *state) const;
  };
  /// The state is in here: an allocation for it would be a good part of a call.
  alignas(16) std::array<std::byte, 1536> memory_;
  std::unique_ptr<State, Destroy> state_;
};

} // namespace host
