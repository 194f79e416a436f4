// Arguments of functions: what ctypes calls to convert them, one by one.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "beside.hpp"
#include "cpython.hpp"
#include "lent.hpp"

namespace {

using core::python;

/// What NumPy hands out ends here: the rest of a `core_array` is ours.
constexpr std::size_t NUMPYS = offsetof(core_array, ready);
/// NumPy's flags; what is above them is ours too.
constexpr std::uint32_t NUMPYS_FLAGS = 0xFFFF;

thread_local void *kept = nullptr;

/// Passes a result on, and keeps the exception if there is none.
void *or_keep(void *result) {
  if (result != nullptr) {
    return result;
  }
  void *type = nullptr;
  void *value = nullptr;
  void *traceback = nullptr;
  python.PyErr_Fetch(&type, &value, &traceback);
  python.PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) {
    python.PyException_SetTraceback(value, traceback);
  }
  python.Py_IncRef(value);
  void *before = std::exchange(kept, value);
  python.PyErr_Restore(type, value, traceback);
  python.Py_DecRef(before);
  return nullptr;
}

/// Subclasses of NumPy's array that are no masked arrays: those that were seen first.
std::array<std::atomic<void *>, 8> trusted{};

bool is_trusted(void *cls) {
  return cls == python.ndarray ||
         std::any_of(trusted.begin(), trusted.end(), [cls](const auto &it) { return it == cls; });
}

/// Whether an object is of a class, whatever it says itself.
bool is_a(void *object, void *cls) {
  void *type = python.PyObject_Type(object);
  const bool is = python.PyType_IsSubtype(type, cls) != 0;
  python.Py_DecRef(type);
  return is;
}

/// The array whose memory this one has, which may be itself; null if it is no
/// array's.
void *owner_of(void *array) {
  while (true) {
    void *base = python.get(python.base, array, nullptr);
    python.Py_DecRef(base); // the array has a reference
    if (base == python.none) {
      return array;
    }
    if (!is_a(base, python.ndarray)) {
      return nullptr;
    }
    array = base;
  }
}

/// Sets `held` to a weak reference to the array that owns the memory: NumPy
/// does not resize one that has any. Null if there is no such array. Returns
/// false with an exception.
bool hold(void *value, void *&held) {
  void *owner = owner_of(value);
  held = owner == nullptr ? nullptr : python.PyWeakref_NewRef(owner, nullptr);
  return owner == nullptr || held != nullptr;
}

/// A copy of an array of NumPy's, with what it points to; null with an
/// exception. It takes over `held`.
void *packed(const core_array &array, void *held) {
  const auto axes = static_cast<std::size_t>(array.ndim);
  const auto size = static_cast<std::intptr_t>(sizeof array + 2 * axes * sizeof(std::intptr_t));
  void *bytes = python.PyType_GenericAlloc(python.holder, size);
  if (bytes == nullptr) {
    python.Py_DecRef(held);
    return nullptr;
  }
  auto *copy = reinterpret_cast<core_array *>(python.PyBytes_AsString(bytes));
  std::memcpy(copy, &array, NUMPYS);
  copy->descr = held;
  copy->flags &= NUMPYS_FLAGS;
  copy->shape = reinterpret_cast<std::intptr_t *>(copy + 1);
  copy->strides = copy->shape + axes;
  std::copy_n(array.shape, axes, copy->shape);
  std::copy_n(array.strides, axes, copy->strides);
  return bytes;
}

/// An argument of an array of NumPy's; null with an exception. It is held
/// before it is read, because to make a reference may collect garbage, and that
/// may run any code.
void *packed_ndarray(void *value) {
  void *held = nullptr;
  if (!hold(value, held)) {
    return nullptr;
  }
  void *capsule = python.get(python.array_struct, value, nullptr);
  const auto *array =
      capsule == nullptr
          ? nullptr
          : static_cast<const core_array *>(python.PyCapsule_GetPointer(capsule, nullptr));
  if (array == nullptr) {
    python.Py_DecRef(capsule);
    python.Py_DecRef(held);
    return nullptr;
  }
  void *bytes = packed(*array, held);
  python.Py_DecRef(capsule);
  return bytes;
}

/// A number; null without an exception, of one that C has no type for.
void *packed_number(void *value) {
  core_number number{};
  void *type = python.PyObject_Type(value);
  python.Py_DecRef(type); // the object has a reference
  if (type == python.real) {
    number.kind = CORE_REAL;
    number.real = python.PyFloat_AsDouble(value);
  } else if (type == python.integer) {
    std::int32_t overflow = 0;
    const long long integer = python.PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow != 0) {
      return nullptr;
    }
    const auto bits = static_cast<std::uint64_t>(integer);
    number.kind = CORE_INTEGER;
    number.negative = static_cast<std::int32_t>(integer < 0);
    number.magnitude = integer < 0 ? 0 - bits : bits;
    number.real = static_cast<double>(integer);
  } else {
    return nullptr;
  }
  const auto *content = reinterpret_cast<const char *>(&number);
  return python.PyBytes_FromStringAndSize(content, sizeof number);
}

/// A stream of a handle; null, with an exception, of a number that is none.
void *packed_stream(void *number) {
  const core_stream stream{python.PyLong_AsUnsignedLongLong(number)};
  if (stream.handle == std::numeric_limits<std::uint64_t>::max()) {
    return nullptr; // perhaps
  }
  const auto *content = reinterpret_cast<const char *>(&stream);
  return python.PyBytes_FromStringAndSize(content, sizeof stream);
}

} // namespace

void *core_py_convert(void *other, void *value) {
  return or_keep(python.PyObject_CallFunctionObjArgs(other, value, nullptr));
}

void *core_py_kept() {
  if (kept != nullptr) {
    return std::exchange(kept, nullptr);
  }
  python.Py_IncRef(python.none);
  return python.none;
}

void core_py_trust(void *cls) {
  for (auto &place : trusted) {
    void *none = nullptr;
    if (place.compare_exchange_strong(none, cls)) {
      python.Py_IncRef(cls); // for good: no other class may get its address
      return;
    }
  }
}

void *core_py_array(void *other, void *value) {
  void *cls = python.PyObject_Type(value);
  python.Py_DecRef(cls); // the value has a reference
  if (is_trusted(cls)) {
    return or_keep(packed_ndarray(value));
  }
  if (python.PyType_IsSubtype(cls, python.ndarray) == 0) {
    void *lent = core::lent(cls, value);
    if (lent != nullptr || python.PyErr_Occurred() != nullptr) {
      return or_keep(lent);
    }
  }
  void *converted = core_py_convert(other, value);
  core::forget_failure();
  return converted;
}

void *core_py_stream(void *other, void *value) {
  if (value == python.none) {
    python.Py_IncRef(value);
    return value;
  }
  void *bytes = is_a(value, python.integer) ? packed_stream(value) : nullptr;
  if (bytes != nullptr) {
    return bytes;
  }
  python.PyErr_Restore(nullptr, nullptr,
                       nullptr); // the other function says it in Python's way
  return core_py_convert(other, value);
}

void *core_py_stream_of_call(void *other, void *value) {
  const bool free = value != python.none || core::is_free_beside();
  return free ? core_py_stream(other, value) : core_py_convert(other, value);
}

void *core_py_number(void *other, void *value) {
  void *bytes = packed_number(value);
  return bytes != nullptr ? bytes : core_py_convert(other, value);
}

int32_t core_py_interrupted() {
  const std::int32_t state = python.PyGILState_Ensure();
  const bool raised = python.PyErr_CheckSignals() != 0;
  if (raised) {
    or_keep(nullptr);
    python.PyErr_Restore(nullptr, nullptr, nullptr);
  }
  python.PyGILState_Release(state);
  return static_cast<std::int32_t>(raised);
}

void core_py_let_go(void *self) {
  const auto *array = reinterpret_cast<core_array *>(python.PyBytes_AsString(self));
  if ((array->flags & CORE_LENT) != 0) {
    core::give_back(static_cast<core_array *>(array->descr));
  } else {
    python.Py_DecRef(array->descr);
  }
  core::free(self);
}
