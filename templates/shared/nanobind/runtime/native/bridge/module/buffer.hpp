// The raw memory of an array.
#pragma once

#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include <host/array.hpp>
#include <host/shape.hpp>
#include <nanobind/nanobind.h>

namespace nb = nanobind;

/// A block of memory that the host and the GPU both address, as a C-contiguous array.
class Buffer {
public:
  Buffer(std::shared_ptr<host::Block> block, host::DType dtype, host::Shape shape);

  /// The buffer that a Python object is, or null.
  static const Buffer *find(nb::handle object);

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
