#include "error.hpp"

#include <exception>
#include <new>

#include <host/error.hpp>
#include <host/functions.hpp>

namespace python {

void raise(PyObject *type, const char *message) {
  PyErr_SetString(type, message);
  throw Raised();
}

void set_error() noexcept {
  try {
    throw;
  } catch (const Raised &) {
    return; // it is set already
  } catch (const host::TypeError &error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const host::ValueError &error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const host::OverflowError &error) {
    PyErr_SetString(PyExc_OverflowError, error.what());
  } catch (const host::Interrupted &) {
    return; // as well
  } catch (const host::MemoryError &error) {
    PyErr_SetString(PyExc_MemoryError, error.what());
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
  }
}

} // namespace python
