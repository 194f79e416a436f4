#include "cuda_array_interface.hpp"

#include <utility>

#include <host/interop.hpp>
#include <host/shape.hpp>

#include "read.hpp"

namespace python {

namespace {

/// The value of a key; no object when it is missing or None.
Object optional(PyObject *interface, const char *key) {
  Object value = Object::steal(PyMapping_GetItemString(interface, key));
  if (!value) {
    forget(PyExc_KeyError);
  }
  return value.get() == Py_None ? Object() : std::move(value);
}

Object entry(PyObject *interface, const char *key) {
  Object value = optional(interface, key);
  if (!value) {
    throw host::ValueError("the array's __cuda_array_interface__ has no " + quoted(key));
  }
  return value;
}

struct Data {
  std::uintptr_t address;
  bool read_only;
};

Data data_of(PyObject *interface) {
  constexpr const char *OTHERWISE = "the array's data is no address and flag";
  const Object data = entry(interface, "data");
  const auto [address, flag] = expect(to_pair(data.get()), OTHERWISE);
  const int read_only = run(PyObject_IsTrue, flag.get());
  if (read_only < 0) {
    throw Raised();
  }
  return {expect(to_integer<std::uintptr_t>(address.get()), OTHERWISE), read_only != 0};
}

host::Shape shape_of(PyObject *interface) {
  const auto shape = to_integers<std::size_t>(entry(interface, "shape").get());
  if (!shape) {
    throw host::ValueError("the array has a negative or too large extent");
  }
  return {shape->begin(), shape->end()};
}

bool is_contiguous(PyObject *interface, const host::Shape &shape, host::DType dtype) {
  const Object given = optional(interface, "strides");
  if (!given) {
    return true;
  }
  const host::Strides strides =
      expect(to_integers<std::ptrdiff_t>(given.get()), "the array's strides are no integers");
  if (strides.size() != shape.size()) {
    throw host::ValueError("the array's shape and strides differ in length");
  }
  return host::is_contiguous(shape, strides, dtype);
}

/// The stream after which the contents are ready. An exporter that names none works on the legacy
/// default stream: before version 3 none could name another, and since then PyCUDA and Numba say
/// that nothing is left to wait for while a copy of theirs is still under way there.
host::Stream stream_of(PyObject *interface) {
  const Object given = entry(interface, "version");
  const auto version =
      expect(to_integer<unsigned>(given.get()), "the array's version is no number");
  const Object stream = optional(interface, "stream");
  if (version < 3 || !stream) {
    return host::LEGACY_DEFAULT_STREAM;
  }
  const auto handle =
      expect(to_integer<std::uintptr_t>(stream.get()), "the array's stream is no handle");
  if (handle == 0) {
    throw host::ValueError("the array's stream is 0, which is ambiguous");
  }
  return host::Stream{handle};
}

} // namespace

Object cuda_array_interface(PyObject *object) {
  Object interface = attribute(object, "__cuda_array_interface__");
  if (interface && PyDict_Check(interface.get()) == 0) {
    throw host::TypeError("the array's __cuda_array_interface__ is no dict");
  }
  return interface;
}

bool is_writable(PyObject *interface) { return !data_of(interface).read_only; }

host::Array read_cuda_array_interface(PyObject *interface) {
  host::Array array;
  const Object typestr = entry(interface, "typestr");
  array.dtype =
      dtype_of_typestr(expect(to_string(typestr.get()), "the array's typestr is no string"));
  const Data data = data_of(interface);
  array.address = data.address;
  array.writable = !data.read_only;
  array.shape = shape_of(interface);
  if (optional(interface, "mask")) {
    throw host::ValueError("masked arrays are not supported");
  }
  array.contiguous = is_contiguous(interface, array.shape, array.dtype);
  const std::size_t bytes = host::bytes_of(array.shape, array.dtype);
  if (bytes > 0) { // an empty array is nowhere
    const std::size_t first = array.contiguous ? bytes : host::size(array.dtype);
    array.place = host::InForeignMemory{host::locate(array.address, first)};
  }
  array.ready = stream_of(interface);
  return array;
}

} // namespace python
