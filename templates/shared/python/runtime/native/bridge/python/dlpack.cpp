#include "dlpack.hpp"

#include <utility>

#include "cuda_array_interface.hpp"
#include "cupy.hpp"
#include "cupy_array.hpp"
#include "exchange.hpp"
#include "method_call.hpp"
#include "read.hpp"
#include "tensor.hpp"

namespace dlpack = host::dlpack;

namespace python {

namespace {

dlpack::Device device_of(PyObject *object) {
  constexpr const char *OTHERWISE = "__dlpack_device__() must return a type and an index";
  const Object ask = checked(run(PyObject_GetAttrString, object, "__dlpack_device__"));
  const Object answer = checked(run(PyObject_CallNoArgs, ask.get()));
  const auto [type, index] = expect(to_pair(answer.get()), OTHERWISE);
  return {expect(to_integer<std::int32_t>(type.get()), OTHERWISE),
          expect(to_integer<std::int32_t>(index.get()), OTHERWISE)};
}

void set(const Object &dict, PyObject *key, PyObject *value) {
  if (PyDict_SetItem(dict.get(), key, value) < 0) {
    throw Raised();
  }
}

/// The version of DLPack that is understood here, for `max_version`.
PyObject *our_version() {
  static PyObject *const ours =
      checked(Py_BuildValue("(II)", dlpack::MAJOR, dlpack::MINOR)).release();
  return ours;
}

/// What a capsule is asked for with whose contents are ready on `stream`, a handle; null is for
/// memory of the host.
Object arguments_with(PyObject *stream, bool version = true) {
  static PyObject *const stream_name = interned("stream");
  static PyObject *const version_name = interned("max_version");
  Object arguments = checked(PyDict_New());
  if (stream != nullptr) {
    set(arguments, stream_name, stream);
  }
  if (version) {
    set(arguments, version_name, our_version());
  }
  return arguments;
}

/// Asks for a capsule. `stream` is what the arguments were made with.
Object capsule_of(PyObject *export_, PyObject *arguments, PyObject *stream) {
  static PyObject *const nothing = checked(PyTuple_New(0)).release();
  Object capsule = Object::steal(run(PyObject_Call, export_, nothing, arguments));
  if (capsule || PyErr_ExceptionMatches(PyExc_TypeError) == 0) {
    return checked(capsule.release());
  }
  PyErr_Clear(); // it is from before DLPack 1.0
  return checked(run(PyObject_Call, export_, nothing, arguments_with(stream, false).get()));
}

/// Takes what is in the capsule, if it is of that kind: null otherwise.
template <typename Managed> Managed *take(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, Managed::NAME) == 0) {
    return nullptr;
  }
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule, Managed::NAME));
  PyCapsule_SetName(capsule, Managed::USED_NAME);
  return managed;
}

/// Whether writing to a tensor from before DLPack 1.0 writes to the object. The tensor cannot
/// say so, and some arrays are immutable: it takes a `__cuda_array_interface__` that permits it.
bool is_writable_legacy(PyObject *object) {
  const Object interface = cuda_array_interface(object);
  return interface && is_writable(interface.get());
}

/// Reads a capsule, which is used up by it. `import` reads the tensor into an array.
template <typename Import>
void read_capsule(PyObject *capsule, PyObject *object, Reading &reading, const Import &import) {
  if (auto *managed = take<dlpack::Versioned>(capsule)) {
    reading.loan = Loan(managed, give_back<dlpack::Versioned>);
    check_version(*managed);
    import(managed->tensor, is_writable(*managed), reading.array);
  } else if (auto *managed = take<dlpack::Legacy>(capsule)) {
    reading.loan = Loan(managed, give_back<dlpack::Legacy>);
    import(managed->tensor, is_writable_legacy(object), reading.array);
  } else {
    throw host::TypeError("__dlpack__() must return a DLPack capsule that was not used yet");
  }
}

/// Deletes what is in a capsule that nobody took it from.
template <typename Managed> void destroy(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, Managed::NAME) != 0) {
    give_back<Managed>(PyCapsule_GetPointer(capsule, Managed::NAME));
  }
}

template <typename Managed> Object capsule_with(Managed *managed) {
  Object capsule = Object::steal(PyCapsule_New(managed, Managed::NAME, destroy<Managed>));
  if (!capsule) {
    give_back<Managed>(managed);
    throw Raised();
  }
  return capsule;
}

/// Reads an array of CuPy's that the object still owns, which takes less. Its memory stays what it
/// is as long as the caller has the object.
bool borrow_cupys(PyObject *object, Asked &asked, Reading &reading) {
  const auto gpu = cupy::read(object, reading.array);
  if (gpu) {
    reading.array.ready = asked.cupys_stream(dlpack::of_gpu(*gpu));
    reading.array.place = host::InForeignMemory{*gpu};
    reading.borrowed = true;
  }
  return gpu.has_value();
}

/// Nothing is waited for by CuPy itself: its arrays are ready after the present work on its stream.
/// It has asked the driver where they are.
void import_cupys(PyObject *object, Asked &asked, Reading &reading) {
  static PyObject *const method = interned("__dlpack__");
  static PyObject *const names = checked(Py_BuildValue("(ss)", "stream", "max_version")).release();
  static PyObject *const no_wait = checked(PyLong_FromLong(-1)).release();
  Object capsule = call_method(object, method, {no_wait, our_version()}, names);
  if (!capsule) {
    forget(PyExc_TypeError); // it is from before DLPack 1.0
    static PyObject *const name = checked(Py_BuildValue("(s)", "stream")).release();
    capsule = checked(call_method(object, method, {no_wait}, name).release());
  }
  const auto import = [&asked](const dlpack::Tensor &tensor, bool writable, host::Array &array) {
    const host::Stream ready = asked.cupys_stream(tensor.device);
    if (dlpack::is_gpus_own(tensor.device)) {
      dlpack::import_from_gpu(tensor, writable, ready, array);
    } else {
      const bool is_for_gpu = dlpack::is_for_gpu(tensor.device);
      array = dlpack::import(tensor, writable, is_for_gpu ? std::optional(ready) : std::nullopt);
    }
  };
  read_capsule(capsule.get(), object, reading, import);
}

void import_methods(PyObject *object, PyObject *export_, Reading &reading) {
  const auto stream = dlpack::consumer_stream(device_of(object));
  const Object handle = stream ? checked(PyLong_FromSize_t(stream->handle)) : Object();
  const Object arguments = arguments_with(handle.get());
  const Object capsule = capsule_of(export_, arguments.get(), handle.get());
  const auto import = [](const dlpack::Tensor &tensor, bool writable, host::Array &array) {
    array = dlpack::import(tensor, writable);
  };
  read_capsule(capsule.get(), object, reading, import);
}

} // namespace

bool import_cupys_again(PyObject *object, Asked &asked, Reading &reading) {
  const bool is_cupys = cupy::was_seen(object);
  if (is_cupys && !(asked.may_borrow() && borrow_cupys(object, asked, reading))) {
    import_cupys(object, asked, reading);
  }
  return is_cupys;
}

bool import_cupys_to_own(PyObject *object, Asked &asked, Reading &reading) {
  const bool is_cupys = cupy::was_seen(object);
  if (is_cupys) {
    Reading owned;
    import_cupys(object, asked, owned);
    reading = std::move(owned);
  }
  return is_cupys;
}

bool import_dlpack(PyObject *object, Asked &asked, Reading &reading) {
  static PyObject *const name = interned("__dlpack__");
  const Object export_ = attribute(object, name);
  if (!export_) {
    return false;
  }
  if (import_exchange(object, asked, reading)) {
    return true;
  }
  if (cupy::see(object)) {
    return import_cupys_again(object, asked, reading);
  }
  import_methods(object, export_.get(), reading);
  return true;
}

Object export_dlpack(dlpack::Export tensor, std::shared_ptr<host::Block> block, bool versioned) {
  if (versioned) {
    return capsule_with(dlpack::export_versioned(std::move(tensor), std::move(block)));
  }
  return capsule_with(dlpack::export_legacy(std::move(tensor), std::move(block)));
}

} // namespace python
