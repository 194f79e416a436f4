// The device that is worked on, and the pool that arrays take their memory from.

#include <host/device.hpp>
#include <host/memory.hpp>
#include <python/read.hpp>
#include <python/unlocked.hpp>

#include "method.hpp"
#include "module.hpp"

namespace python {

namespace {

Object none() { return Object::borrow(Py_None); }

Object device() {
  const host::Device device = unlocked(host::device); // the first call starts CUDA
  const Object index = device.index ? checked(PyLong_FromLong(*device.index)) : none();
  return checked(Py_BuildValue("(sOss)", device.kind.c_str(), index.get(), device.name.c_str(),
                               device.reason.c_str()));
}

Object dev_set(const Call &call) {
  const auto [argument] = call.match("dev_set", {"index"});
  // Numbers that do not fit become the nearest, which is no GPU's either.
  const Py_ssize_t index = PyNumber_AsSsize_t(argument, nullptr);
  if (index == -1 && PyErr_Occurred() != nullptr) {
    throw Raised();
  }
  unlocked([index] { host::set_device(index); });
  return none();
}

Object dev_sync() {
  unlocked(host::synchronize);
  return none();
}

Object memory_stats() {
  const host::MemoryStatistics statistics = host::memory_statistics();
  return checked(Py_BuildValue("(nn)", static_cast<Py_ssize_t>(statistics.used),
                               static_cast<Py_ssize_t>(statistics.held)));
}

Object empty_cache() {
  unlocked(host::empty_cache);
  return none();
}

PyMethodDef methods[] = {
    method<device>("device", R"(device($module)
--

The device that is worked on: kind ("cuda" or "cpu"), index, name and why.)"),
    method<dev_set>("dev_set", R"(dev_set($module, index)
--

Make GPU `index` the one that this thread allocates and works on.)"),
    method<dev_sync>("dev_sync", R"(dev_sync($module)
--

Wait until the current GPU has finished everything.)"),
    method<memory_stats>("memory_stats", R"(memory_stats($module)
--

Bytes in arrays, and bytes held by the pool: in arrays or ready for new ones.)"),
    method<empty_cache>("empty_cache", R"(empty_cache($module)
--

Give all memory that no array uses back to the system.)"),
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

void add_device(PyObject *module) { add_methods(module, methods); }

} // namespace python
