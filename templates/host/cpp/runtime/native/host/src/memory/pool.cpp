#include "pool.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <host/error.hpp>
#include <host/memory.hpp>

#include "../device.hpp"
#include "../os.hpp"

namespace host {

namespace pool {

namespace {

/// The smallest class, and what all classes are multiples of, in bytes.
constexpr std::size_t PAGE = 4096;

/// Bytes of a slab, and the largest class cut from one.
constexpr std::size_t SLAB = std::size_t{2} << 20U;
constexpr std::size_t LARGEST_CUT = SLAB / 2;

class Pool {
public:
  std::mutex mutex;
  std::vector<Chunk> busy; // freed while the GPU may still use it
  MemoryStatistics statistics;

  void push(const Chunk &chunk) { free_[{chunk.source, chunk.size}].push_back(chunk); }

  std::optional<Chunk> pop(Source source, std::size_t size) {
    const auto found = free_.find({source, size});
    if (found == free_.end() || found->second.empty()) {
      return {};
    }
    const Chunk chunk = found->second.back();
    found->second.pop_back();
    return chunk;
  }

  bool is_busy(Source source, std::size_t size) const {
    return std::any_of(busy.begin(), busy.end(), [source, size](const Chunk &chunk) {
      return chunk.source == source && chunk.size == size;
    });
  }

  /// Takes out the chunks of all slabs that no array uses a part of.
  std::vector<std::pair<Source, Slab>> remove_whole_slabs();

private:
  std::map<std::pair<Source, std::size_t>, std::vector<Chunk>> free_;
};

Pool &the_pool() {
  static auto &pool = *new Pool; // never destroyed: arrays may outlive it
  return pool;
}

std::vector<std::pair<Source, Slab>> Pool::remove_whole_slabs() {
  std::vector<std::pair<Source, Slab>> idle;
  for (auto &[key, chunks] : free_) {
    const auto &[source, size] = key;
    std::map<Slab, std::size_t> free_parts;
    for (const Chunk &chunk : chunks) {
      ++free_parts[chunk.slab];
    }
    const auto is_whole = [&free_parts, part = size](const Slab &slab) {
      return free_parts.at(slab) == slab.size / part;
    };
    chunks.erase(std::remove_if(chunks.begin(), chunks.end(),
                                [&](const Chunk &chunk) { return is_whole(chunk.slab); }),
                 chunks.end());
    for (const auto &[slab, parts] : free_parts) {
      if (is_whole(slab)) {
        statistics.held -= slab.size;
        idle.emplace_back(source, slab);
      }
    }
  }
  return idle;
}

/// Waits for the GPUs, so that what was set aside can be used again.
void settle() {
  Pool &pool = the_pool();
  std::vector<Chunk> settled;
  {
    const std::scoped_lock lock(pool.mutex);
    settled.swap(pool.busy);
  }
  std::set<int> gpus;
  for (const Chunk &chunk : settled) {
    if (const auto gpu = chunk.source.gpu()) {
      gpus.insert(*gpu);
    }
  }
  try {
    for (const int gpu : gpus) {
      gpu_at(gpu).synchronize();
    }
  } catch (...) {
    const std::scoped_lock lock(pool.mutex);
    pool.busy.insert(pool.busy.end(), settled.begin(), settled.end());
    throw;
  }
  const std::scoped_lock lock(pool.mutex);
  for (const Chunk &chunk : settled) {
    pool.push(chunk);
  }
}

std::optional<Chunk> take_free(Source source, std::size_t size) {
  Pool &pool = the_pool();
  {
    const std::scoped_lock lock(pool.mutex);
    const auto chunk = pool.pop(source, size);
    if (chunk || !pool.is_busy(source, size)) {
      return chunk;
    }
  }
  settle();
  const std::scoped_lock lock(pool.mutex);
  return pool.pop(source, size);
}

Chunk allocate(Source source, std::size_t size) {
  const std::size_t whole = size <= LARGEST_CUT ? SLAB : size;
  const Slab slab{source.allocate(whole), whole};
  Pool &pool = the_pool();
  const std::scoped_lock lock(pool.mutex);
  pool.statistics.held += whole;
  for (std::size_t index = 1; index < whole / size; ++index) {
    pool.push({slab.address + index * size, size, source, false, slab});
  }
  return {slab.address, size, source, false, slab};
}

Chunk take_or_allocate(Source source, std::size_t size) {
  if (const auto chunk = take_free(source, size)) {
    return *chunk;
  }
  try {
    return allocate(source, size);
  } catch (const MemoryError &) {
    empty_cache();
    return allocate(source, size);
  }
}

/// Undoes a move to the GPU before a chunk is used again. The pages that are on the GPU come back
/// when the host touches them.
void advise_back(Chunk &chunk) {
  if (chunk.moved) {
    chunk.moved = false;
    gpu_at(chunk.source.index).advise_host(chunk.address, chunk.size);
  }
}

} // namespace

std::size_t class_of(std::size_t bytes) {
  constexpr std::size_t LARGEST_POWER = std::numeric_limits<std::size_t>::max() / 2 + 1;
  std::size_t power = 1;
  while (power < bytes && power < LARGEST_POWER) {
    power *= 2;
  }
  const std::size_t step = std::max(power / 8, PAGE);
  const std::size_t steps = std::max<std::size_t>(bytes, 1) / step + (bytes % step == 0 ? 0 : 1);
  if (steps > std::numeric_limits<std::size_t>::max() / step) {
    throw MemoryError("cannot allocate " + std::to_string(bytes) + " bytes of host memory");
  }
  return std::max<std::size_t>(steps, 1) * step;
}

Chunk take(Source source, std::size_t bytes) {
  const std::size_t size = class_of(bytes);
  Chunk chunk = take_or_allocate(source, size);
  Pool &pool = the_pool();
  try {
    advise_back(chunk);
  } catch (...) {
    const std::scoped_lock lock(pool.mutex);
    pool.push(chunk);
    throw;
  }
  const std::scoped_lock lock(pool.mutex);
  pool.statistics.used += size;
  return chunk;
}

void give_back(const Chunk &chunk, bool busy) noexcept {
  Pool &pool = the_pool();
  std::size_t cached = 0;
  {
    const std::scoped_lock lock(pool.mutex);
    pool.statistics.used -= chunk.size;
    if (busy) {
      pool.busy.push_back(chunk);
    } else {
      pool.push(chunk);
    }
    cached = pool.statistics.held - pool.statistics.used;
  }
  // A quarter of the machine is enough to keep for arrays that may never come.
  if (cached > os::memory() / 4) {
    try {
      empty_cache();
    } catch (const Error &) {
      // This runs in destructors, which have nobody to tell; the next allocation meets it again.
    }
  }
}

} // namespace pool

MemoryStatistics memory_statistics() {
  pool::Pool &pool = pool::the_pool();
  const std::scoped_lock lock(pool.mutex);
  return pool.statistics;
}

void empty_cache() {
  pool::settle();
  std::vector<std::pair<Source, pool::Slab>> idle;
  {
    const std::scoped_lock lock(pool::the_pool().mutex);
    idle = pool::the_pool().remove_whole_slabs();
  }
  for (const auto &[source, slab] : idle) {
    source.free(slab.address);
  }
}

} // namespace host
