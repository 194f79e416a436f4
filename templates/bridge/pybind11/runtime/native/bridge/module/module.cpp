// The extension module `_core`: Python objects in, calls of the host out.

#include "module.hpp"

#include <python/buffer.hpp>
#include <python/error.hpp>

PYBIND11_MODULE(_core, module, py::mod_gil_not_used()) {
  module.doc() = "Functions and memory of the package, in native code.";
  add_errors();
  try {
    python::add_buffer(module.ptr());
  } catch (...) {
    python::set_error();
    throw py::error_already_set();
  }
  add_device(module);
  add_functions(module);
}
