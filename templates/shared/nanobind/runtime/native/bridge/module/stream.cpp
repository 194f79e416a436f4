#include "stream.hpp"

#include <utility>

#include <nanobind/stl/pair.h>

#include "python.hpp"

namespace {

host::Stream handle_of(nb::handle object) {
  std::uintptr_t handle = 0;
  if (!nb::try_cast(object, handle)) {
    throw nb::value_error("stream is not the handle of a CUDA stream");
  }
  return {handle};
}

} // namespace

std::optional<host::Stream> read_stream(nb::handle object) {
  if (object.is_none()) {
    return std::nullopt;
  }
  if (PyLong_Check(object.ptr())) {
    return handle_of(object);
  }
  // https://nvidia.github.io/cuda-python/cuda-core/latest/interoperability.html
  if (const nb::object protocol = attribute(object, "__cuda_stream__"); protocol.is_valid()) {
    using VersionAndHandle = std::pair<std::uint32_t, nb::object>;
    const auto stream = expect<VersionAndHandle>(
        protocol(), "__cuda_stream__() must return a version and a handle");
    return handle_of(stream.second);
  }
  // PyTorch and CuPy before that protocol.
  for (const char *name : {"cuda_stream", "ptr"}) {
    if (const nb::object stream = attribute(object, name); stream.is_valid()) {
      return handle_of(stream);
    }
  }
  throw nb::type_error(
      ("stream must be a CUDA stream's handle or an object with __cuda_stream__, not " +
       class_name(object))
          .c_str());
}
