#include "lent.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "array.hpp"
#include "dlpack.hpp"

namespace {

using core::attribute;
using core::owned;
using core::python;
using core::Reference;

/// CuPy's class, and what its arrays are asked with. They are ordered by CuPy's current stream and
/// always on a GPU, so that none has to be asked for its device, nor to wait.
struct Cupy {
  void *cls;
  void *get_current_stream;
  void *nothing;   // positional arguments
  void *arguments; // named ones
} cupy{};

/// What has gone wrong. Python code that asks again for the same object gets it.
struct Failure {
  const void *object;
  core_status status;
  core_array *array;
  void *type;
  void *value;
  void *traceback;
};

thread_local Failure last_failure{};

void *interned(const char *name) { return python.PyUnicode_InternFromString(name); }

/// A class, and the functions that it offers to C.
struct Offer {
  void *cls;
  const void *functions;
};

/// The first one, for good: mostly there is no other, and to look again takes a part of a call.
std::atomic<const Offer *> first_offer{nullptr};

/// The functions of a class that is not known yet; null if it offers none that can be used here.
const void *look_for_functions(void *cls, void *object) {
  static void *const api = interned("__dlpack_c_exchange_api__");
  static void *const method = interned("__dlpack__");
  const Reference capsule = attribute(cls, api);
  if (capsule == nullptr || python.PyCapsule_IsValid(capsule.get(), core_py_exchange_api) == 0 ||
      attribute(object, method) == nullptr) {
    return nullptr;
  }
  const void *functions = python.PyCapsule_GetPointer(capsule.get(), core_py_exchange_api);
  if (first_offer == nullptr) {
    const Offer *none = nullptr;
    auto offer = std::make_unique<const Offer>(Offer{cls, functions});
    if (first_offer.compare_exchange_strong(none, offer.get())) {
      python.Py_IncRef(offer.release()->cls); // no other class may get its address
    }
  }
  return functions;
}

/// The functions that the class offers to C; null unless they may be used for this object, which
/// must say that no gradients are computed through it.
const void *functions_for(void *cls, void *object) {
  static void *const requires_grad = interned("requires_grad");
  const Offer *first = first_offer;
  const bool is_known = first != nullptr && first->cls == cls;
  const void *functions = is_known ? first->functions : look_for_functions(cls, object);
  const bool may_use = functions != nullptr && attribute(object, requires_grad).get() == python.no;
  return may_use ? functions : nullptr;
}

/// An argument that owns an array; null with an exception.
void *holder_of(core_array *array) {
  void *bytes = python.PyType_GenericAlloc(python.holder, sizeof *array);
  if (bytes == nullptr) {
    core::give_back(array);
    return nullptr;
  }
  auto *content = reinterpret_cast<core_array *>(python.PyBytes_AsString(bytes));
  content->two = 2;
  content->flags = CORE_LENT;
  content->descr = array;
  return bytes;
}

void *lent_by_class(void *cls, void *object) {
  const void *functions = functions_for(cls, object);
  if (functions == nullptr) {
    return nullptr;
  }
  core_array *array = nullptr;
  const core_status status = core::exchange(functions, object, &array);
  if (status != CORE_OK) {
    last_failure = {object, status, array, nullptr, nullptr, nullptr};
    python.PyErr_Fetch(&last_failure.type, &last_failure.value, &last_failure.traceback);
    return nullptr;
  }
  return array == nullptr ? nullptr : holder_of(array);
}

void *lent_by_cupy(void *object) {
  static void *const name = interned("__dlpack__");
  const Reference method = owned(python.PyObject_GetAttr(object, name));
  const Reference capsule =
      owned(method ? python.PyObject_Call(method.get(), cupy.nothing, cupy.arguments) : nullptr);
  if (capsule == nullptr ||
      python.PyCapsule_IsValid(capsule.get(), core_py_dltensor_versioned) == 0) {
    return nullptr;
  }
  core_array *array = nullptr;
  if (core_py_import(capsule.get(), 1, 1, &array) != CORE_OK) {
    return nullptr;
  }
  Reference holder = owned(holder_of(array));
  const host::Stream stream = core::cupys_stream(cupy.get_current_stream);
  if (holder == nullptr || python.PyErr_Occurred() != nullptr) {
    return nullptr;
  }
  auto &ready = static_cast<core::Owned *>(array)->array.ready;
  ready = ready ? std::optional(stream) : ready; // memory of the host is ready
  return holder.release();
}

} // namespace

const char core_py_exchange_api[] = "dlpack_exchange_api";

void *core::lent(void *cls, void *object) {
  return cls == cupy.cls ? lent_by_cupy(object) : lent_by_class(cls, object);
}

host::Stream core::cupys_stream(void *get_current_stream) {
  static void *const ptr = interned("ptr");
  const Reference stream = owned(python.PyObject_CallFunctionObjArgs(get_current_stream, nullptr));
  const Reference handle = owned(stream ? python.PyObject_GetAttr(stream.get(), ptr) : nullptr);
  return {handle ? python.PyLong_AsUnsignedLongLong(handle.get()) : 0};
}

void core::forget_failure() {
  if (std::exchange(last_failure.object, nullptr) == nullptr) {
    return;
  }
  const auto [object, status, array, type, value, traceback] = last_failure;
  give_back(array);
  for (void *reference : {type, value, traceback}) {
    python.Py_DecRef(reference);
  }
}

void core::give_back(core_array *array) {
  void *type = nullptr;
  void *value = nullptr;
  void *traceback = nullptr;
  // The deleter may run Python code, which must not see the exception that ended the call.
  python.PyErr_Fetch(&type, &value, &traceback);
  core_dlpack_delete(array);
  python.PyErr_Restore(type, value, traceback);
}

core_status core_py_exchange(const void *functions, void *object, core_array **result) {
  if (last_failure.object != object) {
    return core::exchange(functions, object, result);
  }
  last_failure.object = nullptr;
  *result = last_failure.array;
  python.PyErr_Restore(last_failure.type, last_failure.value, last_failure.traceback);
  return last_failure.status;
}

void core_py_cupy(void *cls, void *get_current_stream, void *nothing, void *arguments) {
  for (void *kept : {cls, get_current_stream, nothing, arguments}) {
    python.Py_IncRef(kept); // for good: no other class may get its address
  }
  cupy = {cls, get_current_stream, nothing, arguments};
}
