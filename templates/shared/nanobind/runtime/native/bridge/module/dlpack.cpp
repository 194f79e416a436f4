#include "dlpack.hpp"

#include <utility>

#include <nanobind/stl/pair.h>

#include "cuda_array_interface.hpp"
#include "exchange.hpp"
#include "python.hpp"
#include "tensor.hpp"

using namespace nb::literals;
namespace dlpack = host::dlpack;

namespace {

dlpack::Device device_of(nb::handle object) {
  using TypeAndIndex = std::pair<std::int32_t, std::int32_t>;
  const auto [type, index] = expect<TypeAndIndex>(
      object.attr("__dlpack_device__")(), "__dlpack_device__() must return a type and an index");
  return {type, index};
}

/// Asks for a capsule whose contents are ready on `stream`.
nb::object capsule_of(nb::handle object, std::optional<host::Stream> stream) {
  nb::dict arguments;
  if (stream) {
    arguments["stream"] = stream->handle;
  }
  const nb::object ask = object.attr("__dlpack__");
  try {
    return ask(**arguments, "max_version"_a = nb::make_tuple(dlpack::MAJOR, dlpack::MINOR));
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_TypeError)) {
      throw;
    }
    return ask(**arguments); // it is from before DLPack 1.0
  }
}

/// Takes what is in the capsule, if it is of that kind: null otherwise.
template <typename Managed> Managed *take(nb::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), Managed::NAME) == 0) {
    return nullptr;
  }
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule.ptr(), Managed::NAME));
  PyCapsule_SetName(capsule.ptr(), Managed::USED_NAME);
  return managed;
}

/// Whether writing to a tensor from before DLPack 1.0 writes to the object. The tensor cannot
/// say so, and some arrays are immutable: it takes a `__cuda_array_interface__` that permits it.
bool is_writable_legacy(nb::handle object) {
  const nb::object interface = find_cuda_array_interface(object);
  return interface.is_valid() && is_writable(interface);
}

/// Reads a capsule, which is used up by it.
Argument read_capsule(nb::handle capsule, nb::handle object) {
  if (auto *managed = take<dlpack::Versioned>(capsule)) {
    Loan loan(managed, give_back<dlpack::Versioned>);
    return {read_versioned(*managed), std::move(loan)};
  }
  if (auto *managed = take<dlpack::Legacy>(capsule)) {
    Loan loan(managed, give_back<dlpack::Legacy>);
    return {dlpack::import(managed->tensor, is_writable_legacy(object)), std::move(loan)};
  }
  throw nb::type_error("__dlpack__() must return a DLPack capsule that was not used yet");
}

/// Deletes what is in a capsule that nobody took it from.
template <typename Managed> void destroy(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, Managed::NAME) != 0) {
    give_back<Managed>(PyCapsule_GetPointer(capsule, Managed::NAME));
  }
}

template <typename Managed> nb::object capsule_with(Managed *managed) {
  PyObject *capsule = PyCapsule_New(managed, Managed::NAME, destroy<Managed>);
  if (capsule == nullptr) {
    give_back<Managed>(managed);
    nb::raise_python_error();
  }
  return nb::steal(capsule);
}

} // namespace

std::optional<Argument> import_dlpack(nb::handle object) {
  static PyObject *const name = interned("__dlpack__");
  if (!attribute(object, name).is_valid()) {
    return std::nullopt;
  }
  if (auto argument = import_exchange(object)) {
    return argument;
  }
  const auto stream = dlpack::consumer_stream(device_of(object));
  Argument argument = read_capsule(capsule_of(object, stream), object);
  argument.array.ready = stream;
  return argument;
}

nb::object export_dlpack(dlpack::Export tensor, std::shared_ptr<host::Block> block,
                         bool versioned) {
  if (versioned) {
    return capsule_with(dlpack::export_versioned(std::move(tensor), std::move(block)));
  }
  return capsule_with(dlpack::export_legacy(std::move(tensor), std::move(block)));
}
