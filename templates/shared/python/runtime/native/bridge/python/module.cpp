#include "module.hpp"

#include "error.hpp"
#include "ndarray.hpp"

namespace python {

namespace {

/// Memory, threads and the GPU are the process's, and so is the class `Buffer`.
void refuse_other_interpreters() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    raise(PyExc_ImportError, "this module works in the main interpreter only");
  }
}

} // namespace

void fill(PyObject *module) {
  refuse_other_interpreters();
  import_numpy();
  add_buffer(module);
  add_device(module);
  add_functions(module);
  add_memory(module);
  add_xla(module);
}

} // namespace python
