#include "cpython.h"

#include <algorithm>
#include <limits>

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

/// A copy of a struct in a `bytes` object, with so many bytes behind it; null if there is no
/// memory.
template <typename T> void *packed(const T &value, std::size_t behind = 0) {
  const std::size_t size = sizeof value + behind;
  void *bytes = python.PyBytes_FromStringAndSize(nullptr, static_cast<std::intptr_t>(size));
  if (bytes != nullptr) {
    *reinterpret_cast<T *>(python.PyBytes_AsString(bytes)) = value;
  }
  return bytes;
}

/// The same of an array, with what it points to.
void *packed_array(const core_array &array) {
  const auto axes = static_cast<std::size_t>(array.ndim);
  void *bytes = packed(array, 2 * axes * sizeof(std::intptr_t));
  if (bytes != nullptr) {
    auto *copy = reinterpret_cast<core_array *>(python.PyBytes_AsString(bytes));
    copy->shape = reinterpret_cast<std::intptr_t *>(copy + 1);
    copy->strides = copy->shape + axes;
    copy->descr = nullptr;
    std::copy_n(array.shape, axes, copy->shape);
    std::copy_n(array.strides, axes, copy->strides);
  }
  return bytes;
}

/// The same of an array of NumPy's; null, with an exception or without one, of anything else.
void *packed_ndarray(void *value) {
  if (python.PyObject_IsInstance(value, python.ndarray) != 1) {
    return nullptr;
  }
  void *capsule = python.PyObject_GetAttr(value, python.array_struct);
  if (capsule == nullptr) {
    return nullptr;
  }
  const auto *array =
      static_cast<const core_array *>(python.PyCapsule_GetPointer(capsule, nullptr));
  void *bytes = array != nullptr && array->two == 2 ? packed_array(*array) : nullptr;
  python.Py_DecRef(capsule);
  return bytes;
}

/// A stream of a handle; null, with an exception or without one, of anything else.
void *packed_stream(void *value) {
  if (python.PyObject_IsInstance(value, python.integer) != 1) {
    return nullptr;
  }
  const std::uint64_t handle = python.PyLong_AsUnsignedLongLong(value);
  const bool may_have_failed = handle == std::numeric_limits<std::uint64_t>::max();
  return may_have_failed ? nullptr : packed(core_stream{handle});
}

/// What `pack` makes of a value, or else what the function `other` does.
void *packed_or(void *other, void *value, void *(*pack)(void *value)) {
  void *bytes = pack(value);
  if (bytes != nullptr) {
    return bytes;
  }
  python.PyErr_Clear(); // the other function meets it again, and says it in Python's way
  return python.PyObject_CallFunctionObjArgs(other, value, nullptr);
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

void *core_py_array(void *other, void *value) { return packed_or(other, value, packed_ndarray); }

void *core_py_stream(void *other, void *value) {
  if (value == python.none) {
    python.Py_IncRef(value);
    return value;
  }
  return packed_or(other, value, packed_stream);
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
