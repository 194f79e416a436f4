// Array arguments: every kind of object that a function takes.
#pragma once

#include <memory>
#include <utility>

#include <host/array.hpp>
#include <nanobind/nanobind.h>

namespace nb = nanobind;

/// What an exporter handed out for one call and takes back after it. Its value is its deleter.
using Loan = std::unique_ptr<void, void (*)(void *)>;

inline Loan no_loan() {
  return {nullptr, [](void *) {}};
}

/// An array argument, valid during the call.
struct Argument {
  host::Array array;
  Loan loan = no_loan();
};

/// Reads an array argument. Throws the error that the caller is to get.
Argument read_argument(nb::handle object);

/// A number argument: a float, or whatever Python's `float()` takes other than text.
struct Number {
  double value = 0;
};

/// nanobind's own caster forgets what a `__float__` raises.
template <> struct nb::detail::type_caster<Number> {
  NB_TYPE_CASTER(Number, const_name("float"))

  /// Not `noexcept`, as below.
  bool from_python(handle object, uint32_t /*flags*/, cleanup_list * /*cleanup*/) {
    value.value = PyFloat_AsDouble(object.ptr());
    if (value.value == -1.0 && PyErr_Occurred() != nullptr) {
      nb::raise_python_error();
    }
    return true;
  }
};

/// Lets functions have parameters of type `host::Array`.
template <> struct nb::detail::type_caster<host::Array> {
  NB_TYPE_CASTER(host::Array, const_name("Array"))

  /// Not `noexcept`, so that the error is not "incompatible function arguments" alone. It must
  /// therefore stand in a list of parameters, and not inside of another caster.
  bool from_python(handle object, uint32_t /*flags*/, cleanup_list * /*cleanup*/) {
    Argument argument = read_argument(object);
    value = std::move(argument.array);
    loan_ = std::move(argument.loan);
    return true;
  }

private:
  Loan loan_ = no_loan();
};
