// The device that is worked on.

#include <host/device.hpp>
#include <python/unlocked.hpp>

#include "kept.hpp"
#include "method.hpp"
#include "module.hpp"

namespace python {

namespace {

Object device() {
  const host::Device device = unlocked(host::device); // the first call starts CUDA
  const Object index = device.index ? checked(PyLong_FromLong(*device.index)) : none();
  return checked(Py_BuildValue("(sOss)", device.kind.c_str(), index.get(), device.name.c_str(),
                               device.reason.c_str()));
}

Object dev_set(const Call &call) {
  const auto [argument] = call.match("dev_set", {"index"});
  // Numbers that do not fit become the nearest, which is no GPU's either.
  const Py_ssize_t index = run(PyNumber_AsSsize_t, argument, nullptr);
  if (index == -1 && PyErr_Occurred() != nullptr) {
    throw Raised();
  }
  unlocked([index] { host::set_device(index); });
  return none();
}

Object dev_sync() {
  unlocked(host::synchronize);
  let_go();
  return none();
}

PyMethodDef device_methods[] = {
    {"device", function<device>(), METH_NOARGS, R"(device($module)
--

The device that is worked on: kind ("cuda" or "cpu"), index, name and why.)"},
    {"dev_set", function<dev_set>(), ARGUMENTS, R"(dev_set($module, index)
--

Make GPU `index` the one that this thread allocates and works on.)"},
    {"dev_sync", function<dev_sync>(), METH_NOARGS, R"(dev_sync($module)
--

Wait until the current GPU has finished everything.)"},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

void add_device(PyObject *module) { add_table(module, device_methods); }

} // namespace python
