// Errors of the host as Python exceptions.

#include <host/error.hpp>

#include "module.hpp"

namespace {

void translate(const std::exception_ptr &exception, void * /*payload*/) {
  try {
    std::rethrow_exception(exception);
  } catch (const host::TypeError &error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const host::ValueError &error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const host::MemoryError &error) {
    PyErr_SetString(PyExc_MemoryError, error.what());
  } catch (const host::RuntimeError &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

} // namespace

void add_errors(nb::module_ & /*module*/) { nb::register_exception_translator(translate); }
