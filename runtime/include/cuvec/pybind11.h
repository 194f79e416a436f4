// Arrays as arguments and results of functions that pybind11 binds. A module calls
// cuvec::load(module) in PYBIND11_MODULE.
//
// An argument that is no such array is an error, as of declared functions: overloads are not chosen
// by arrays.
#pragma once

#include <pybind11/pybind11.h>

#include "api.hpp"

namespace cuvec {

inline void load(pybind11::module_ &module) {
  load(module.ptr());
  pybind11::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error &) { // set already
    }
  });
}

} // namespace cuvec

namespace pybind11::detail {

template <class A> struct type_caster<A, enable_if_t<std::is_base_of_v<cuvec::Borrowed, A>>> {
  static constexpr auto name = const_name("object");
  template <class T> using cast_op_type = movable_cast_op_type<T>;

  bool load(handle source, bool /*convert*/) {
    value_ = A(source.ptr());
    return true;
  }
  operator A *() { return &value_; }
  operator A &() { return value_; }
  operator A &&() && { return std::move(value_); }

  static handle cast(const A &array, return_value_policy, handle /*parent*/) {
    return array.object();
  }

private:
  A value_;
};

} // namespace pybind11::detail
