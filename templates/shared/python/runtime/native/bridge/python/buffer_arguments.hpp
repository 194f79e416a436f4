// What the constructor and the methods of `Buffer` are called with.
#pragma once

#include <Python.h>
#include <optional>

#include <host/interop.hpp>
#include <host/memory.hpp>
#include <host/shape.hpp>
#include <host/stream.hpp>

namespace python {

/// Buffer(shape, typestr, memory, zero)
struct Construct {
  host::Shape shape;
  host::DType dtype = host::DType::F32;
  host::MemoryKind memory = host::MemoryKind::Managed;
  bool zero = false;

  Construct(PyObject *positional, PyObject *named);
};

/// Buffer.prefetch(where, offset, nbytes, stream=None)
struct Prefetch {
  host::Side where = host::Side::Host;
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::optional<host::Stream> stream;

  Prefetch(PyObject *positional, PyObject *named);
};

/// Buffer.dlpack(address, shape, strides, typestr, readonly, device, versioned, copied)
struct ToDlpack {
  host::dlpack::Export tensor{};
  bool versioned = false;

  ToDlpack(PyObject *positional, PyObject *named);
};

} // namespace python
