// Arrays as arguments and results of functions that nanobind binds. A module calls
// cuvec::load(module) in NB_MODULE.
//
// An argument is converted when the function is called, so that errors are the same as of declared
// functions. Overloads are therefore not chosen by arrays.
#pragma once

#include <nanobind/nanobind.h>

#include "api.hpp"

namespace cuvec {

inline void load(nanobind::module_ &module) {
  load(module.ptr());
  nanobind::register_exception_translator([](const std::exception_ptr &thrown, void *) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error &) { // set already
    }
  });
}

} // namespace cuvec

namespace nanobind::detail {

template <class A> struct type_caster<A, enable_if_t<std::is_base_of_v<cuvec::Borrowed, A>>> {
  using Value = A;
  static constexpr auto Name = const_name("object");
  template <class> using Cast = A;
  template <class> static constexpr bool can_cast() { return true; }

  template <class Flags> bool from_python(handle source, Flags, cleanup_list *) noexcept {
    source_ = source;
    return true;
  }
  explicit operator A() { return A(source_.ptr()); }

  static handle from_cpp(const A &array, rv_policy, cleanup_list *) noexcept {
    return cuvec::guard(static_cast<PyObject *>(nullptr), [&] { return array.object(); });
  }

private:
  handle source_;
};

} // namespace nanobind::detail
