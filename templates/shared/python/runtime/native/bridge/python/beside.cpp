#include "beside.hpp"

#include <Python.h>
#include <atomic>

#include <host/interop.hpp>

#include "cupy.hpp"
#include "object.hpp"
#include "read.hpp"

namespace dlpack = host::dlpack;

namespace python {

namespace {

/// What was imported when it was last looked, and what says which stream of PyTorch's is current.
/// None of it is ever given back.
struct Others {
  std::atomic<Py_ssize_t> modules{-1}; // how many there were
  std::atomic<const dlpack::Exchange *> torch{nullptr};
};

Others others;

/// An attribute of an attribute of a module; no object while any of them is not there yet.
Object find(PyObject *modules, const char *module, const char *outer, const char *inner) {
  const Object found = Object::borrow(PyDict_GetItemString(modules, module));
  const Object middle = found ? attribute(found.get(), outer) : Object();
  return middle ? attribute(middle.get(), inner) : Object();
}

void look(PyObject *modules) {
  if (others.torch == nullptr) {
    const Object capsule = find(modules, "torch", "Tensor", "__dlpack_c_exchange_api__");
    if (capsule && PyCapsule_IsValid(capsule.get(), dlpack::Exchange::NAME) != 0) {
      const void *offered = PyCapsule_GetPointer(capsule.get(), dlpack::Exchange::NAME);
      others.torch = dlpack::compatible(static_cast<const dlpack::Exchange *>(offered));
    }
  }
  if (!cupy::is_known()) {
    cupy::know(find(modules, "cupy", "cuda", "get_current_stream"));
  }
}

/// PyTorch's. Without GPUs it has none, and is not asked again before more is imported.
std::optional<host::Stream> stream_of_torch(int gpu) {
  constexpr std::int32_t CUDA = 2;
  const dlpack::Exchange *torch = others.torch;
  void *stream = nullptr;
  if (torch == nullptr || run(torch->current_work_stream, CUDA, gpu, &stream) != 0) {
    PyErr_Clear();
    others.torch = nullptr;
    return {};
  }
  return host::Stream{reinterpret_cast<std::uintptr_t>(stream)};
}

std::optional<host::Stream> stream_of_cupy(int /*gpu*/) { return cupy::current_stream(); }

} // namespace

bool others_may_record() {
  PyObject *modules = PyImport_GetModuleDict();
  const Py_ssize_t count = PyDict_Size(modules);
  if (others.modules != count) {
    others.modules = count;
    look(modules);
  }
  return others.torch != nullptr || cupy::is_known();
}

void refuse_beside(std::optional<int> gpu) {
  if (others.torch != nullptr) {
    host::refuse_beside(gpu, stream_of_torch);
  }
  if (cupy::is_known()) {
    host::refuse_beside(gpu, stream_of_cupy);
  }
}

} // namespace python
