// Errors of C++ as Python exceptions, beyond those of the standard library, which pybind11 knows.

#include <exception>
#include <utility>

#include <host/error.hpp>
#include <python/error.hpp>

#include "module.hpp"

namespace {

void translate(std::exception_ptr exception) {
  try {
    std::rethrow_exception(std::move(exception));
  } catch (const host::Error &) {
    python::set_error();
  } catch (const python::Raised &) {
    python::set_error();
  }
}

} // namespace

void add_errors() { py::register_local_exception_translator(translate); }
