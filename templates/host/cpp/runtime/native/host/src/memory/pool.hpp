// Keeps freed memory for the next array of about the same size.
//
// Sizes are rounded up to classes, at most an eighth more than was asked for from eight pages on;
// large ones to pages. Small classes are cut from slabs; a class is never smaller than a page, so
// that moving one array between host and GPU moves no other. Memory that the GPU may still use is
// set aside until the GPU has been waited for.
//
// To give memory back takes no memory: all that is needed for it is made when it is taken.
#pragma once

#include <cstddef>
#include <cstdint>

#include "source.hpp"

namespace host::pool {

struct Slab;

/// A piece of memory of the size of its class.
struct Chunk {
  std::uintptr_t address = 0;
  Slab *slab = nullptr;  ///< that it is a part of, or the whole of
  bool moved = false;    ///< it was moved to the GPU and must be advised back before the next use
  Chunk *next = nullptr; ///< in the list that it is in

  Source source() const;
  std::size_t size() const;
};

/// The size of the class that holds `bytes` bytes. Throws `MemoryError` when no memory does.
std::size_t class_of(std::size_t bytes);

/// A chunk of at least `bytes` bytes, from the pool or else from its source. Throws `MemoryError`.
Chunk &take(Source source, std::size_t bytes);

/// Takes a chunk back; `busy` says that the GPU may still use it. Never waits.
void give_back(Chunk &chunk, bool busy) noexcept;

} // namespace host::pool
