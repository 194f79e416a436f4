// What CPython has of the library: slots of the class `Buffer`, and capsules.

#include "cpython.hpp"

#include <host/interop.hpp>

#include "buffer.hpp"
#include "error.hpp"

namespace dlpack = host::dlpack;

core_py core::python;

namespace {

using core::python;

// Flags of PyObject_GetBuffer.
constexpr std::uint32_t FORMAT = 0x4U;
constexpr std::uint32_t ND = 0x8U;
constexpr std::uint32_t STRIDES = 0x10U | ND;

/// Where a Python object has its buffer.
core_buffer *&buffer_in(void *object) {
  return *reinterpret_cast<core_buffer **>(static_cast<char *>(object) + python.offset);
}

template <typename Managed> void delete_tensor(void *tensor) {
  auto *managed = static_cast<Managed *>(tensor);
  managed->deleter(managed);
}

template <typename Managed> void destroy(void *capsule) {
  delete_tensor<Managed>(python.PyCapsule_GetPointer(capsule, Managed::NAME));
}

} // namespace

core::Reference core::attribute(void *object, void *name) {
  Reference found = owned(python.PyObject_GetAttr(object, name));
  if (found == nullptr) {
    python.PyErr_Restore(nullptr, nullptr, nullptr);
  }
  return found;
}

void core::free(void *object) {
  void *type = python.PyObject_Type(object);
  python.PyObject_Free(object);
  python.Py_DecRef(type);
  python.Py_DecRef(type); // as for every class that is made at run time
}

const char core_py_dltensor[] = "dltensor";
const char core_py_dltensor_versioned[] = "dltensor_versioned";
const char core_py_used_dltensor[] = "used_dltensor";
const char core_py_used_dltensor_versioned[] = "used_dltensor_versioned";

void core_py_start(const core_py *functions) {
  core::python = *functions;
  core_set_interrupt_check(core_py_interrupted);
}

core_status core_py_buffer_new(void *self, int32_t ndim, const int64_t *shape, const char *typestr,
                               const char *memory, int32_t zero) {
  return core_buffer_new(ndim, shape, typestr, memory, zero, &buffer_in(self));
}

int32_t core_py_getbuffer(void *self, core_py_buffer *view, int32_t flags) {
  const core_buffer *found = buffer_in(self);
  view->obj = nullptr;
  if (found == nullptr) {
    return -1; // object.__new__(Buffer)
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

void core_py_dealloc(void *self) {
  core_buffer_delete(buffer_in(self));
  core::free(self);
}

void core_py_destroy_capsule(void *capsule) {
  if (python.PyCapsule_IsValid(capsule, core_py_dltensor) != 0) {
    destroy<dlpack::Legacy>(capsule);
  } else if (python.PyCapsule_IsValid(capsule, core_py_dltensor_versioned) != 0) {
    destroy<dlpack::Versioned>(capsule);
  }
}

void *core_py_export(const core_buffer *buffer, uint64_t address, int32_t ndim,
                     const int64_t *shape, const int64_t *strides, const char *typestr,
                     int32_t read_only, int32_t copied, int32_t device_type, int32_t device_index,
                     int32_t versioned) {
  void *managed = nullptr;
  const core_status status =
      core_dlpack_export(buffer, address, ndim, shape, strides, typestr, read_only, copied,
                         device_type, device_index, versioned, &managed);
  if (status != CORE_OK) {
    return python.PyLong_FromLong(status);
  }
  const char *name = versioned != 0 ? core_py_dltensor_versioned : core_py_dltensor;
  void *capsule = python.PyCapsule_New(managed, name, core_py_destroy_capsule);
  if (capsule == nullptr && versioned != 0) {
    delete_tensor<dlpack::Versioned>(managed);
  } else if (capsule == nullptr) {
    delete_tensor<dlpack::Legacy>(managed);
  }
  return capsule;
}
