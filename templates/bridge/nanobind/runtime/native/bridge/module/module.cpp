// The extension module `_core`, made by nanobind.

#include <nanobind/nanobind.h>

#include <python/error.hpp>
#include <python/module.hpp>

namespace nb = nanobind;

// NOLINTNEXTLINE(performance-unnecessary-value-param): the macro takes the module so
NB_MODULE(_core, module) {
  module.attr("__doc__") = "Functions and memory of the package, in native code.";
  // An array that is alive when the interpreter ends is none of the user's business.
  nb::set_leak_warnings(false);
  try {
    python::fill(module.ptr());
  } catch (...) {
    python::set_error();
    nb::raise_python_error();
  }
}
