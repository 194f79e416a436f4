// What XLA calls.

#include <host/xla.hpp>

#include "method.hpp"
#include "module.hpp"

namespace python {

namespace {

void forget_exception() {
  const PyGILState_STATE state = run(PyGILState_Ensure);
  PyErr_Clear();
  PyGILState_Release(state);
}

Object xla_handler(const Call &call) {
  const auto [on_gpu, given] = call.match("xla_handler", {"on_gpu", "other"});
  const int truth = run(PyObject_IsTrue, on_gpu);
  void *address = run(PyLong_AsVoidPtr, given);
  if (PyErr_Occurred() != nullptr) {
    throw Raised();
  }
  const auto other = reinterpret_cast<host::xla::Handler>(address);
  const auto handler = host::xla::handler(truth != 0, {other, forget_exception});
  return checked(PyLong_FromVoidPtr(reinterpret_cast<void *>(handler)));
}

PyMethodDef xla_methods[] = {
    {"xla_handler", function<xla_handler>(), ARGUMENTS, R"(xla_handler($module, on_gpu, other)
--

The address of what XLA calls for all functions; what it cannot do it leaves to that at `other`.)"},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

void add_xla(PyObject *module) { add_table(module, xla_methods); }

} // namespace python
