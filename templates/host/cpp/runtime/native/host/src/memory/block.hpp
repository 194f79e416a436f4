// What the host does with blocks beyond what it offers to others.
#pragma once

#include <memory>

#include <host/array.hpp>
#include <host/memory.hpp>

#include "../gpu/gpu.hpp"

namespace host {

struct BlockAccess {
  /// As `Block::allocate`, on a GPU that need not be the current one.
  static std::shared_ptr<Block> allocate_on(const Gpu &gpu, std::size_t bytes, MemoryKind kind);

  /// Memory that only the GPU can address.
  static std::shared_ptr<Block> scratch(const Gpu &gpu, std::size_t bytes);

  /// A call on `stream` is about to use an array in the block. `with_large` says that one of the
  /// call's arrays is large, see memory/placement.hpp.
  static void before_call(Block &block, const Array &array, bool with_large, const Gpu &gpu,
                          Stream stream);

  /// A call has used an array in the block; `ended` says that it is over.
  static void after_call(Block &block, const Array &array, bool ended);
};

} // namespace host
