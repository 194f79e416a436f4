// The memory of an array.
#pragma once

#include <memory>
#include <string>

#include <host/memory.hpp>
#include <host/shape.hpp>

#include "core.h"

namespace core {

/// What a `core_buffer` is: the C struct, and behind it what it points to.
struct Buffer : core_buffer {
  Buffer(std::shared_ptr<host::Block> memory, host::DType type, host::Shape shape);
  ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  std::shared_ptr<host::Block> block;
  host::DType dtype;
  host::Shape extents;
  host::Strides steps;
};

inline const Buffer &get(const core_buffer *buffer) { return *static_cast<const Buffer *>(buffer); }

} // namespace core
