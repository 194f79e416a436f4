// What a function knows about an array that it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "dtype.hpp"
#include "memory.hpp"
#include "shape.hpp"
#include "stream.hpp"

namespace host {

/// Memory of the host alone: copied for the GPU and back.
using InHostMemory = std::monostate;

/// Memory of ours, for the host and the GPU: a share of the block, or a pointer to one that whoever
/// makes the array has a share of.
using InBlock = std::shared_ptr<Block>;

/// GPU memory of another library.
struct InForeignMemory {
  int gpu;
};

using Place = std::variant<InHostMemory, InBlock, InForeignMemory>;

/// A borrowed array: whoever makes it keeps its memory alive while a function runs.
struct Array {
  std::uintptr_t address = 0; ///< of the first element
  DType dtype = DType::F32;
  Shape shape;
  bool contiguous = true; ///< C-contiguous
  bool writable = true;
  Place place;
  std::optional<Stream> ready; ///< after whose present work the contents are ready

  /// Number of elements.
  std::size_t count() const {
    std::size_t count = 1;
    for (const std::size_t extent : shape) {
      count *= extent;
    }
    return count;
  }

  /// Size of a contiguous array, in bytes.
  std::size_t bytes() const { return count() * size(dtype); }

  /// The index of the GPU that the array is on.
  std::optional<int> gpu() const;

  /// Whether a call on `stream` that does not wait uses memory whose owner may reuse it meanwhile:
  /// another library's, which is ordered by another stream.
  bool may_be_reused(Stream stream) const {
    return std::holds_alternative<InForeignMemory>(place) && ready != stream;
  }

  bool is_in_host_memory() const { return std::holds_alternative<InHostMemory>(place); }

  /// The elements, for the side that can address them. `T` must be the type of `dtype`.
  template <typename T> T *data() const { return reinterpret_cast<T *>(address); }
};

} // namespace host
