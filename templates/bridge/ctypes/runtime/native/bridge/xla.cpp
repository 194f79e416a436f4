// What XLA calls.

#include <host/xla.hpp>

#include <cstdint>

#include "cpython.hpp"

namespace {

using core::python;

void forget_exception() {
  const std::int32_t state = python.PyGILState_Ensure();
  python.Py_DecRef(core_py_kept());
  python.PyGILState_Release(state);
}

} // namespace

void *core_py_xla_handler(int32_t on_gpu, void *other) {
  const auto handler = reinterpret_cast<host::xla::Handler>(other);
  return reinterpret_cast<void *>(host::xla::handler(on_gpu != 0, {handler, forget_exception}));
}
