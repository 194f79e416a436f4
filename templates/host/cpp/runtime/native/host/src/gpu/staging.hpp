// Arrays in host memory that CUDA does not know, for one call.
//
// Small ones are copied to pinned memory, which the GPU works on over the bus: that takes less time
// than to start copies. Others are copied on to the GPU and back, large ones by several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <host/array.hpp>

#include "carriers.hpp"
#include "gpu.hpp"

namespace host {

/// The stream must have been waited for before it ends: the GPU uses its memory until then.
class Staging {
public:
  Staging(const Gpu &gpu, Stream stream);

  bool empty() const { return staged_.empty(); }

  /// The address of memory for the array on the GPU. `reads` says that its elements are needed
  /// there, complete when the stream has reached this; `returns` that the results in it are to come
  /// back.
  std::uintptr_t add(const Array &array, bool reads, bool returns);

  /// Copies results back to large arrays, and starts to for others.
  void begin_return();

  /// Completes the other arrays, once the stream has been waited for.
  void finish_return();

private:
  /// One array and its copies.
  struct Staged {
    const Array *array;
    bool returns;
    std::shared_ptr<Block> pinned; // none for a large array
    std::shared_ptr<Block> device; // none for a small one
  };

  Carriers &carriers();
  void copy(const Block &to, const Block &from, std::size_t bytes);

  const Gpu &gpu_;
  Stream stream_;
  std::vector<Staged> staged_;
  std::optional<Carriers> carriers_;
};

} // namespace host
