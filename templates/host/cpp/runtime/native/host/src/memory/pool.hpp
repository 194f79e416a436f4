// Keeps freed memory for the next array of about the same size.
//
// Sizes are rounded up to classes at most an eighth apart. Small classes are cut from slabs; a
// class is never smaller than a page, so that moving one array between host and GPU moves no
// other. Memory that the GPU may still use is set aside until the GPU has been waited for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "source.hpp"

namespace host::pool {

/// An allocation of a source.
struct Slab {
  std::uintptr_t address = 0;
  std::size_t size = 0;

  friend bool operator<(const Slab &a, const Slab &b) { return a.address < b.address; }
};

/// A piece of memory of the size of its class.
struct Chunk {
  std::uintptr_t address = 0;
  std::size_t size = 0;
  Source source;
  bool moved = false; ///< it was moved to the GPU and must be advised back before the next use
  Slab slab;          ///< that it is a part of, or the whole of
};

/// The size of the class that holds `bytes` bytes. Throws `MemoryError` when no memory does.
std::size_t class_of(std::size_t bytes);

/// A chunk of at least `bytes` bytes, from the pool or else from its source.
Chunk take(Source source, std::size_t bytes);

/// Takes a chunk back; `busy` says that the GPU may still use it.
void give_back(const Chunk &chunk, bool busy) noexcept;

} // namespace host::pool
