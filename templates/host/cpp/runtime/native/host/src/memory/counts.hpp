// How many bytes the pool has. What only the GPUs can address is counted apart: it takes nothing
// from the host.
#pragma once

#include <host/memory.hpp>

#include "slab.hpp"

namespace host::pool {

class Counts {
public:
  const MemoryStatistics &all() const { return all_; }

  /// Bytes that no array uses, of the host or of the GPUs' own memory.
  std::size_t cached(bool on_gpus) const {
    const std::size_t theirs = on_gpus_.held - on_gpus_.used;
    return on_gpus ? theirs : all_.held - all_.used - theirs;
  }

  void use(const Chunk &chunk) {
    all_.used += chunk.size();
    on_gpus_.used += chunk.source().is_on_gpu() ? chunk.size() : 0;
  }

  void end_use(const Chunk &chunk) {
    all_.used -= chunk.size();
    on_gpus_.used -= chunk.source().is_on_gpu() ? chunk.size() : 0;
  }

  void add(const Slab &slab) {
    all_.held += slab.size();
    on_gpus_.held += slab.source.is_on_gpu() ? slab.size() : 0;
  }

  void remove(const Slab &slab) {
    all_.held -= slab.size();
    on_gpus_.held -= slab.source.is_on_gpu() ? slab.size() : 0;
  }

private:
  MemoryStatistics all_;
  MemoryStatistics on_gpus_;
};

} // namespace host::pool
