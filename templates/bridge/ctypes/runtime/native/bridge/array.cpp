#include "array.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <host/error.hpp>
#include <host/interop.hpp>

#include "blocks.hpp"

namespace core {

namespace {

host::DType dtype_of(const core_array &array, const char *name) {
  const bool native = (array.flags & CORE_NATIVE_ORDER) != 0;
  const auto dtype = host::dtype_from_kind(array.kind, static_cast<std::size_t>(array.itemsize));
  if (!dtype || !native) {
    const std::string type = array.kind + std::to_string(array.itemsize);
    throw host::UnsupportedDType((native ? "type \"" : "type \"byte-swapped ") + type + "\"")
        .named(name);
  }
  return *dtype;
}

host::Shape shape_of(const core_array &array) {
  host::Shape shape;
  for (int32_t axis = 0; axis < array.ndim; ++axis) {
    if (array.shape[axis] < 0) {
      throw host::ValueError("the array has a negative or too large extent");
    }
    shape.push_back(static_cast<std::size_t>(array.shape[axis]));
  }
  return shape;
}

bool has_strides_of_a_contiguous_one(const core_array &array, const host::Array &read) {
  return host::is_contiguous(read.shape, {array.strides, array.strides + array.ndim}, read.dtype);
}

host::Place on_gpu(const host::Array &array) {
  const std::size_t bytes = host::bytes_of(array.shape, array.dtype);
  if (bytes == 0) {
    return {}; // an empty array is nowhere
  }
  const std::size_t first = array.contiguous ? bytes : host::size(array.dtype);
  return host::InForeignMemory{host::locate(array.address, first)};
}

} // namespace

host::Array read(const core_array *array, const char *name) {
  if (array == nullptr || array->two != 2) {
    throw host::TypeError(std::string(name) + " must be an array, not NULL or something else");
  }
  const auto flagged = [array](std::uint32_t flag) { return (array->flags & flag) != 0; };
  if (flagged(CORE_LENT)) {
    return read(static_cast<const core_array *>(array->descr), name);
  }
  if (flagged(CORE_OWNED)) {
    return static_cast<const Owned *>(array)->array;
  }
  host::Array result;
  result.address = reinterpret_cast<std::uintptr_t>(array->data);
  result.dtype = dtype_of(*array, name);
  result.shape = shape_of(*array);
  result.contiguous = flagged(CORE_C_CONTIGUOUS);
  result.writable = flagged(CORE_WRITABLE);
  if (flagged(CORE_READY)) {
    result.ready = host::Stream{array->ready};
  }
  if (flagged(CORE_ON_GPU)) {
    result.contiguous = result.contiguous || has_strides_of_a_contiguous_one(*array, result);
    result.place = on_gpu(result);
  } else if (auto block = block_of(result.address, result.bytes())) {
    result.place = std::move(block);
  }
  return result;
}

std::optional<host::Stream> read(const core_stream *stream) {
  if (stream == nullptr) {
    return {};
  }
  return host::Stream{stream->handle};
}

} // namespace core
