// The extension module `_core`, made by pybind11.

#include <pybind11/pybind11.h>

#include <python/error.hpp>
#include <python/module.hpp>

namespace py = pybind11;

PYBIND11_MODULE(_core, module, py::mod_gil_not_used()) {
  module.doc() = "Functions and memory of the package, in native code.";
  try {
    python::fill(module.ptr());
  } catch (...) {
    python::set_error();
    throw py::error_already_set();
  }
}
