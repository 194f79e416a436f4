// The raw memory of an array: the class `Buffer`.
#pragma once

#include <Python.h>
#include <memory>

#include <host/array.hpp>
#include <host/shape.hpp>

namespace python {

/// A block of memory that the host and the GPU both address, as a C-contiguous array.
class Buffer {
public:
  Buffer(std::shared_ptr<host::Block> block, host::DType dtype, host::Shape shape);

  const std::shared_ptr<host::Block> &block() const { return block_; }
  host::DType dtype() const { return dtype_; }
  const host::Shape &shape() const { return shape_; }
  const host::Strides &strides() const { return strides_; }

  /// Size in bytes.
  std::size_t bytes() const { return bytes_; }

  /// The buffer as an argument of a function.
  host::Array array() const;

private:
  std::shared_ptr<host::Block> block_;
  host::DType dtype_;
  host::Shape shape_;
  host::Strides strides_;
  std::size_t bytes_;
};

/// Adds the class `Buffer` to a module. It is made once in a process: a module that is loaded
/// again gets the same one, so that arrays from before are still known.
void add_buffer(PyObject *module);

/// The buffer that a Python object is, or null.
const Buffer *as_buffer(PyObject *object);

} // namespace python
