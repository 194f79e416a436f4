// Allocations of a source, and lists of the chunks that they are cut into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "pool.hpp"
#include "source.hpp"

namespace host::pool {

/// Chunks, in the order in which they were given: the last one is the first to be taken. They are
/// linked to each other, so that a list takes no memory.
class List {
public:
  void push(Chunk &chunk) {
    chunk.next = first_;
    first_ = &chunk;
  }

  /// Null when there is none.
  Chunk *pop() {
    Chunk *chunk = first_;
    if (chunk != nullptr) {
      first_ = std::exchange(chunk->next, nullptr);
    }
    return chunk;
  }

  const Chunk *first() const { return first_; }

  template <typename Condition> void remove_if(const Condition &condition) {
    for (Chunk **place = &first_; *place != nullptr;) {
      if (condition(**place)) {
        *place = (*place)->next;
      } else {
        place = &(*place)->next;
      }
    }
  }

private:
  Chunk *first_ = nullptr;
};

/// The chunks of one size and source that are not in use.
struct Class {
  List free;
  std::size_t busy = 0; ///< chunks that the GPU may still use
};

/// An allocation of a source, cut into chunks of one size.
struct Slab {
  Slab(Source from, std::size_t part_size, std::size_t parts)
      : source(from), part(part_size), chunks(parts) {}

  std::size_t size() const { return part * chunks.size(); }
  bool is_idle() const { return free == chunks.size(); }

  Source source;
  std::size_t part;
  std::vector<Chunk> chunks;
  std::size_t free = 0;  ///< of the chunks
  Class *home = nullptr; ///< where its chunks go
  std::uintptr_t address = 0;
  Slab *next = nullptr; ///< of those that are to be freed
};

/// Frees slabs that are linked to each other and that nobody knows any more. Throws the first error
/// of `free`, when all have been tried.
template <typename Free> void free_all(Slab *slabs, const Free &free) {
  std::exception_ptr error;
  while (slabs != nullptr) {
    const std::unique_ptr<Slab> slab(std::exchange(slabs, slabs->next));
    try {
      free(*slab);
    } catch (...) {
      error = error == nullptr ? std::current_exception() : error;
    }
  }
  if (error != nullptr) {
    std::rethrow_exception(error);
  }
}

} // namespace host::pool
