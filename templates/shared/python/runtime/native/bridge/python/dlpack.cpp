#include "dlpack.hpp"

#include <utility>

#include "cuda_array_interface.hpp"
#include "cupy.hpp"
#include "exchange.hpp"
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

/// Asks for a capsule whose contents are ready on `stream`, a handle. With -1 nothing is waited
/// for; null is for memory of the host.
Object capsule_of(PyObject *export_, PyObject *stream) {
  static PyObject *const stream_name = interned("stream");
  static PyObject *const version_name = interned("max_version");
  static PyObject *const version =
      checked(Py_BuildValue("(II)", dlpack::MAJOR, dlpack::MINOR)).release();
  const Object nothing = checked(PyTuple_New(0));
  const Object arguments = checked(PyDict_New());
  if (stream != nullptr) {
    set(arguments, stream_name, stream);
  }
  set(arguments, version_name, version);
  Object capsule = Object::steal(run(PyObject_Call, export_, nothing.get(), arguments.get()));
  if (capsule || PyErr_ExceptionMatches(PyExc_TypeError) == 0) {
    return checked(capsule.release());
  }
  PyErr_Clear(); // it is from before DLPack 1.0
  if (PyDict_DelItem(arguments.get(), version_name) < 0) {
    throw Raised();
  }
  return checked(run(PyObject_Call, export_, nothing.get(), arguments.get()));
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

/// Reads a capsule, which is used up by it.
Argument read_capsule(PyObject *capsule, PyObject *object) {
  if (auto *managed = take<dlpack::Versioned>(capsule)) {
    Loan loan(managed, give_back<dlpack::Versioned>);
    return {read_versioned(*managed), std::move(loan)};
  }
  if (auto *managed = take<dlpack::Legacy>(capsule)) {
    Loan loan(managed, give_back<dlpack::Legacy>);
    return {dlpack::import(managed->tensor, is_writable_legacy(object)), std::move(loan)};
  }
  throw host::TypeError("__dlpack__() must return a DLPack capsule that was not used yet");
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

/// Nothing is waited for by CuPy itself: its arrays are ready after the present work on its stream.
Argument import_cupys(PyObject *object, PyObject *export_, Asked &asked) {
  static PyObject *const no_wait = checked(PyLong_FromLong(-1)).release();
  Argument argument = read_capsule(capsule_of(export_, no_wait).get(), object);
  argument.make_ready_on(asked.cupys_stream());
  return argument;
}

Argument import_methods(PyObject *object, PyObject *export_) {
  const auto stream = dlpack::consumer_stream(device_of(object));
  const Object handle = stream ? checked(PyLong_FromSize_t(stream->handle)) : Object();
  return read_capsule(capsule_of(export_, handle.get()).get(), object);
}

} // namespace

std::optional<Argument> import_dlpack(PyObject *object, Asked &asked) {
  if (auto argument = import_exchange_again(object)) {
    return argument;
  }
  static PyObject *const name = interned("__dlpack__");
  const Object export_ = attribute(object, name);
  if (!export_) {
    return std::nullopt;
  }
  if (!cupy::was_seen(object)) {
    if (auto argument = import_exchange(object)) {
      return argument;
    }
    if (!cupy::see(object)) {
      return import_methods(object, export_.get());
    }
  }
  return import_cupys(object, export_.get(), asked);
}

Object export_dlpack(dlpack::Export tensor, std::shared_ptr<host::Block> block, bool versioned) {
  if (versioned) {
    return capsule_with(dlpack::export_versioned(std::move(tensor), std::move(block)));
  }
  return capsule_with(dlpack::export_legacy(std::move(tensor), std::move(block)));
}

} // namespace python
