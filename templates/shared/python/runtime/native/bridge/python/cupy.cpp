#include "cupy.hpp"

#include <atomic>
#include <cstdint>
#include <utility>

#include "cupy_array.hpp"
#include "read.hpp"

namespace python::cupy {

namespace {

std::atomic<PyObject *> seen{nullptr}; // the class, for good: no other one gets its address
std::atomic<PyObject *> get_current_stream{nullptr};

constexpr const char *NO_HANDLE = "CuPy's stream is no handle";

/// The same for C: CuPy's modules offer each other functions in tables that Cython makes. An
/// exception comes with -1.
using CurrentStream = std::intptr_t (*)();
std::atomic<CurrentStream> current_stream_for_c{nullptr};

/// Null where it is not as in CuPy 13 and 14.
CurrentStream find_for_c() {
  static PyObject *const name = interned("cupy_backends.cuda.stream");
  constexpr const char *SIGNATURE = "intptr_t (void)";
  const Object module = Object::steal(PyImport_GetModule(name));
  const Object table = module ? attribute(module.get(), "__pyx_capi__") : Object();
  if (!table || PyDict_Check(table.get()) == 0) {
    return nullptr;
  }
  PyObject *capsule = PyDict_GetItemString(table.get(), "get_current_stream_ptr");
  if (capsule == nullptr || PyCapsule_IsValid(capsule, SIGNATURE) == 0) {
    return nullptr;
  }
  return reinterpret_cast<CurrentStream>(PyCapsule_GetPointer(capsule, SIGNATURE));
}

} // namespace

void know(Object function) {
  PyObject *nothing = nullptr;
  if (get_current_stream.compare_exchange_strong(nothing, function.get())) {
    function.release();
  }
}

bool is_known() { return get_current_stream != nullptr; }

bool was_seen(PyObject *object) { return class_of(object) == seen; }

bool see(PyObject *object) {
  if (seen != nullptr) {
    return false;
  }
  static PyObject *const name = interned("cupy");
  const Object module = Object::steal(PyImport_GetModule(name)); // mostly there is none
  const Object array = module ? attribute(module.get(), "ndarray") : Object();
  const Object cuda = module ? attribute(module.get(), "cuda") : Object();
  Object function = cuda ? attribute(cuda.get(), "get_current_stream") : Object();
  if (!function || array.get() != class_of(object)) {
    return false;
  }
  know(std::move(function));
  look(object);
  current_stream_for_c = find_for_c();
  seen = Object::borrow(array.get()).release();
  return true;
}

host::Stream current_stream() {
  if (const CurrentStream ask = current_stream_for_c) {
    const std::intptr_t handle = run(ask);
    if (handle == -1 && PyErr_Occurred() != nullptr) {
      throw Raised();
    }
    if (handle < 0) {
      throw host::TypeError(NO_HANDLE);
    }
    return {static_cast<std::uintptr_t>(handle)};
  }
  static PyObject *const name = interned("ptr");
  const Object stream = checked(run(PyObject_CallNoArgs, get_current_stream.load()));
  const Object handle = checked(run(PyObject_GetAttr, stream.get(), name));
  const auto number = to_integer<std::uintptr_t>(handle.get());
  return {expect(number, NO_HANDLE)};
}

} // namespace python::cupy
