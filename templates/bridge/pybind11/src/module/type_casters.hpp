// How Python objects become arguments of C++ functions.
//
// A function that takes a `const host::Array &` is called with any library's array, and one that
// takes a `std::optional<host::Stream>` with any library's stream or None.
//
// Other objects raise the error of the conversion, which says what is wrong, and not pybind11's
// "incompatible function arguments". So no other overload of the function is tried after it.
#pragma once

#include <optional>

#include <host/array.hpp>
#include <host/stream.hpp>
#include <pybind11/pybind11.h>
#include <python/argument.hpp>
#include <python/error.hpp>
#include <python/run.hpp>
#include <python/stream.hpp>

/// A number: a float, or whatever Python's `float()` takes other than text.
struct Number {
  double value = 0;
};

/// Numbers. pybind11's own caster forgets what a `__float__` raises.
template <> struct pybind11::detail::type_caster<Number> {
  PYBIND11_TYPE_CASTER(Number, const_name("float"));

public:
  bool load(handle object, bool /*convert*/) {
    value.value = python::run(PyFloat_AsDouble, object.ptr());
    if (value.value == -1.0 && PyErr_Occurred() != nullptr) {
      throw python::Raised();
    }
    return true;
  }
};

/// Arrays. What the object lends is given back after the call.
template <> class pybind11::detail::type_caster<host::Array> {
public:
  static constexpr auto name = const_name("object");
  template <typename T> using cast_op_type = const host::Array &;

  bool load(handle object, bool /*convert*/) {
    argument_.emplace(object.ptr());
    return true;
  }

  explicit operator const host::Array &() const {
    if (!argument_) {
      throw reference_cast_error();
    }
    return argument_->array();
  }

private:
  std::optional<python::Argument> argument_;
};

/// Streams.
template <> class pybind11::detail::type_caster<std::optional<host::Stream>> {
  PYBIND11_TYPE_CASTER(std::optional<host::Stream>, const_name("object"));

public:
  bool load(handle object, bool /*convert*/) {
    value = python::stream(object.ptr());
    return true;
  }
};
