#include "cuda_array_interface.hpp"

#include <utility>

#include <host/interop.hpp>
#include <host/shape.hpp>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "python.hpp"

namespace {

/// The value of a key; an invalid object when it is missing or None.
nb::object optional(nb::handle interface, const char *key) {
  const auto dict = nb::borrow<nb::dict>(interface);
  nb::object value = dict.contains(key) ? nb::object(dict[key]) : nb::object();
  return value.is_none() ? nb::object() : value;
}

nb::object entry(nb::handle interface, const char *key) {
  nb::object value = optional(interface, key);
  if (!value.is_valid()) {
    throw nb::value_error(("the array's __cuda_array_interface__ has no " + quoted(key)).c_str());
  }
  return value;
}

/// The address, and whether the memory is read-only.
std::pair<std::uintptr_t, bool> data_of(nb::handle interface) {
  return expect<std::pair<std::uintptr_t, bool>>(entry(interface, "data"),
                                                 "the array's data is no address and flag");
}

host::Shape shape_of(nb::handle interface) {
  host::Shape shape;
  if (!nb::try_cast(entry(interface, "shape"), shape)) {
    throw nb::value_error("the array has a negative or too large extent");
  }
  return shape;
}

bool is_contiguous(nb::handle interface, const host::Shape &shape, host::DType dtype) {
  const nb::object given = optional(interface, "strides");
  if (!given.is_valid()) {
    return true;
  }
  const auto strides = expect<host::Strides>(given, "the array's strides are no integers");
  if (strides.size() != shape.size()) {
    throw nb::value_error("the array's shape and strides differ in length");
  }
  return host::is_contiguous(shape, strides, dtype);
}

/// The stream after which the contents are ready. An exporter that names none works on the legacy
/// default stream: before version 3 none could name another, and since then PyCUDA and Numba say
/// that nothing is left to wait for while a copy of theirs is still under way there.
host::Stream stream_of(nb::handle interface) {
  const auto version =
      expect<unsigned>(entry(interface, "version"), "the array's version is no number");
  const nb::object stream = optional(interface, "stream");
  if (version < 3 || !stream.is_valid()) {
    return host::LEGACY_DEFAULT_STREAM;
  }
  const auto handle = expect<std::uintptr_t>(stream, "the array's stream is no handle");
  if (handle == 0) {
    throw nb::value_error("the array's stream is 0, which is ambiguous");
  }
  return host::Stream{handle};
}

} // namespace

nb::object find_cuda_array_interface(nb::handle object) {
  nb::object interface = attribute(object, "__cuda_array_interface__");
  if (interface.is_valid() && !nb::isinstance<nb::dict>(interface)) {
    throw nb::type_error("the array's __cuda_array_interface__ is no dict");
  }
  return interface;
}

bool is_writable(nb::handle interface) { return !data_of(interface).second; }

host::Array read_cuda_array_interface(nb::handle interface) {
  host::Array array;
  array.dtype = dtype_of_typestr(
      expect<std::string>(entry(interface, "typestr"), "the array's typestr is no string"));
  const auto [address, read_only] = data_of(interface);
  array.address = address;
  array.writable = !read_only;
  array.shape = shape_of(interface);
  if (optional(interface, "mask").is_valid()) {
    throw nb::value_error("masked arrays are not supported");
  }
  array.contiguous = is_contiguous(interface, array.shape, array.dtype);
  const std::size_t bytes = host::bytes_of(array.shape, array.dtype);
  if (bytes > 0) { // an empty array is nowhere
    const std::size_t first = array.contiguous ? bytes : host::size(array.dtype);
    array.place = host::InForeignMemory{host::locate(address, first)};
  }
  array.ready = stream_of(interface);
  return array;
}
