#include "cpython.h"

#include <host/interop.hpp>

#include "buffer.hpp"

namespace dlpack = host::dlpack;

namespace {

// Flags of PyObject_GetBuffer.
constexpr std::uint32_t FORMAT = 0x4U;
constexpr std::uint32_t ND = 0x8U;
constexpr std::uint32_t STRIDES = 0x10U | ND;

core_py python;

/// Where a Python object has its buffer.
core_buffer *&buffer_in(void *object) {
  return *reinterpret_cast<core_buffer **>(static_cast<char *>(object) + python.offset);
}

template <typename Managed> void destroy(void *capsule) {
  auto *managed = static_cast<Managed *>(python.PyCapsule_GetPointer(capsule, Managed::NAME));
  managed->deleter(managed);
}

} // namespace

const char core_py_dltensor[] = "dltensor";
const char core_py_dltensor_versioned[] = "dltensor_versioned";
const char core_py_used_dltensor[] = "used_dltensor";
const char core_py_used_dltensor_versioned[] = "used_dltensor_versioned";

void core_py_start(const core_py *functions) { python = *functions; }

const core_array *core_py_array(void *capsule) {
  return static_cast<const core_array *>(python.PyCapsule_GetPointer(capsule, nullptr));
}

int32_t core_py_getbuffer(void *self, core_py_buffer *view, int32_t flags) {
  const core_buffer *found = buffer_in(self);
  view->obj = nullptr;
  if (found == nullptr) {
    return -1; // object.__new__(Buffer), or one that was finalized
  }
  const core::Buffer &buffer = core::get(found);
  const auto asked = [flags](std::uint32_t flag) {
    return (static_cast<std::uint32_t>(flags) & flag) == flag;
  };
  view->buf = buffer.array.data;
  view->len = static_cast<std::intptr_t>(buffer.nbytes);
  view->itemsize = buffer.array.itemsize;
  view->readonly = 0;
  view->ndim = buffer.array.ndim;
  view->format = asked(FORMAT) ? host::format(buffer.dtype) : nullptr;
  view->shape = asked(ND) ? buffer.array.shape : nullptr;
  view->strides = asked(STRIDES) ? buffer.array.strides : nullptr;
  view->suboffsets = nullptr;
  view->internal = nullptr;
  view->obj = self;
  python.Py_IncRef(self);
  return 0;
}

void core_py_finalize(void *self) {
  core_buffer_delete(buffer_in(self));
  buffer_in(self) = nullptr;
}

void core_py_destroy_capsule(void *capsule) {
  if (python.PyCapsule_IsValid(capsule, core_py_dltensor) != 0) {
    destroy<dlpack::Legacy>(capsule);
  } else if (python.PyCapsule_IsValid(capsule, core_py_dltensor_versioned) != 0) {
    destroy<dlpack::Versioned>(capsule);
  }
}
