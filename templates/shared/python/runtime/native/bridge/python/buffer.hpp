// The raw memory of an array: the class `Buffer`.
#pragma once

#include <Python.h>
#include <memory>

#include <host/array.hpp>
#include <host/shape.hpp>

#include "object.hpp"

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

/// A new `Buffer` over a block.
Object make_buffer(std::shared_ptr<host::Block> block, host::DType dtype, host::Shape shape);

/// The buffer that a Python object is, or null.
const Buffer *as_buffer(PyObject *object);

} // namespace python
