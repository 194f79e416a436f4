#include "stream.hpp"

#include "read.hpp"

namespace python {

namespace {

host::Stream stream_of_handle(PyObject *object) {
  const auto handle = to_integer<std::uintptr_t>(object);
  if (!handle) {
    throw host::ValueError("stream is not the handle of a CUDA stream");
  }
  return {*handle};
}

} // namespace

host::Stream stream(PyObject *object) {
  if (PyLong_Check(object) != 0) {
    return stream_of_handle(object);
  }
  // https://nvidia.github.io/cuda-python/cuda-core/latest/interoperability.html
  if (const Object protocol = attribute(object, "__cuda_stream__")) {
    const Object answer = checked(run(PyObject_CallNoArgs, protocol.get()));
    const auto [version, handle] =
        expect(to_pair(answer.get()), "__cuda_stream__() must return a version and a handle");
    return stream_of_handle(handle.get());
  }
  // PyTorch and CuPy before that protocol.
  for (const char *name : {"cuda_stream", "ptr"}) {
    if (const Object handle = attribute(object, name)) {
      return stream_of_handle(handle.get());
    }
  }
  throw host::TypeError(
      "stream must be a CUDA stream's handle or an object with __cuda_stream__, not " +
      class_name(object));
}

std::optional<host::Stream> stream_if_any(PyObject *object) {
  if (object == Py_None) {
    return std::nullopt;
  }
  return stream(object);
}

} // namespace python
