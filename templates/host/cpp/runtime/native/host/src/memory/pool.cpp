#include "pool.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <host/error.hpp>
#include <host/fork.hpp>
#include <host/memory.hpp>

#include "../device.hpp"
#include "../os.hpp"
#include "counts.hpp"
#include "held.hpp"
#include "slab.hpp"

namespace host {

namespace pool {

namespace {

/// The smallest class, and what all classes are multiples of, in bytes.
constexpr std::size_t PAGE = 4096;

/// Bytes of a slab, about, and the largest class cut from one.
constexpr std::size_t SLAB = std::size_t{2} << 20U;
constexpr std::size_t LARGEST_CUT = SLAB / 2;

/// Bytes from which on sizes are exact, to the page.
constexpr std::size_t LARGE = std::size_t{64} << 20U;

/// Classes are at least this part of a power of two apart, so that no more than an eighth is lost.
constexpr std::size_t STEPS = 16;

// Only with the lock of the pool.

void set_free(Chunk &chunk) {
  chunk.slab->home->free.push(chunk);
  ++chunk.slab->free;
}

Chunk *take_from(Class &some) {
  Chunk *chunk = some.free.pop();
  if (chunk != nullptr) {
    --chunk->slab->free;
  }
  return chunk;
}

/// What is in the pool, behind one lock, which nobody has while another thread forks.
struct Pool {
  Pool() { hold_at_fork(mutex); }

  std::mutex mutex;
  std::map<std::pair<Source, std::size_t>, Class> classes;
  List busy; // freed while the GPU may still use it
  Counts counts;

  Chunk *take_free(Source source, std::size_t size);
  Slab *remove_idle_slabs(bool without_waiting);
};

/// Made when the library is loaded, which no other thread can be in the middle of when one forks;
/// never destroyed, because arrays may outlive it.
Pool &pool = *new Pool;

/// A free chunk of the size, or of a little more where sizes are exact; null when there is none.
Chunk *Pool::take_free(Source source, std::size_t size) {
  const std::size_t enough = size < LARGE ? size : size + size / 8;
  const auto end = classes.upper_bound({source, enough});
  for (auto found = classes.lower_bound({source, size}); found != end; ++found) {
    if (Chunk *chunk = take_from(found->second)) {
      return chunk;
    }
  }
  return nullptr;
}

/// Takes out all slabs that no array uses a part of; without waiting, those that no GPU has to be
/// waited for to free. They are linked to each other.
Slab *Pool::remove_idle_slabs(bool without_waiting) {
  Slab *idle = nullptr;
  const auto goes = [&](const Slab &slab) {
    return slab.is_idle() && !(without_waiting && slab.source.gpu());
  };
  for (auto &[key, some] : classes) {
    some.free.remove_if([&](const Chunk &chunk) {
      Slab &slab = *chunk.slab;
      const bool taken = goes(slab);
      if (taken && &chunk == &slab.chunks.front()) {
        counts.remove(slab);
        slab.next = std::exchange(idle, &slab);
      }
      return taken;
    });
  }
  return idle;
}

void free_slabs(Slab *slabs) {
  free_all(slabs, [](const Slab &slab) { slab.source.free(slab.address); });
}

/// The lowest GPU above `index` that may use one of the chunks.
std::optional<int> next_gpu(const Chunk *chunk, int index) {
  std::optional<int> lowest;
  for (; chunk != nullptr; chunk = chunk->next) {
    const auto gpu = chunk->source().gpu();
    if (gpu && *gpu > index && (!lowest || *gpu < *lowest)) {
      lowest = gpu;
    }
  }
  return lowest;
}

/// Waits for the GPUs, so that what was set aside can be used again.
void settle() {
  List settled;
  {
    const std::scoped_lock lock(pool.mutex);
    std::swap(settled, pool.busy);
  }
  std::exception_ptr error;
  try {
    for (auto gpu = next_gpu(settled.first(), -1); gpu; gpu = next_gpu(settled.first(), *gpu)) {
      gpu_at(*gpu).synchronize();
    }
  } catch (...) {
    error = std::current_exception();
  }
  const std::scoped_lock lock(pool.mutex);
  while (Chunk *chunk = settled.pop()) {
    if (error != nullptr) {
      pool.busy.push(*chunk);
    } else {
      --chunk->slab->home->busy;
      set_free(*chunk);
    }
  }
  if (error != nullptr) {
    std::rethrow_exception(error);
  }
}

/// Bytes of a class that may be set aside before the GPU is waited for: a loop of asynchronous
/// calls with new arrays goes on meanwhile, in other memory.
std::size_t patience(std::size_t size) {
  constexpr std::size_t CALLS = 16;
  return std::min(os::memory() / 16, std::max(LARGE, CALLS * size));
}

/// A chunk that is there, null when there is none.
Chunk *reuse(Source source, std::size_t size) {
  {
    const std::scoped_lock lock(pool.mutex);
    if (Chunk *chunk = pool.take_free(source, size)) {
      return chunk;
    }
    const auto found = pool.classes.find({source, size});
    if (found == pool.classes.end() || found->second.busy * size <= patience(size)) {
      return nullptr;
    }
  }
  settle();
  const std::scoped_lock lock(pool.mutex);
  return pool.take_free(source, size);
}

Class &home_of(Source source, std::size_t size) {
  const std::scoped_lock lock(pool.mutex);
  return pool.classes[{source, size}];
}

/// The first chunk of a new slab, null when there is no memory for it.
Chunk *allocate(Source source, std::size_t size) {
  const std::size_t parts = size <= LARGEST_CUT ? SLAB / size : 1;
  Class &home = home_of(source, size);
  auto slab = std::make_unique<Slab>(source, size, parts);
  slab->address = source.allocate(slab->size());
  if (slab->address == 0) {
    return nullptr;
  }
  Slab &made = *slab.release(); // known by its chunks from here on
  const std::scoped_lock lock(pool.mutex);
  made.home = &home;
  pool.counts.add(made);
  for (std::size_t index = parts; index-- > 0;) {
    Chunk &chunk = made.chunks[index];
    chunk.address = made.address + index * size;
    chunk.slab = &made;
    set_free(chunk);
  }
  return take_from(home);
}

/// Undoes a move to the GPU before a chunk is used again. The pages that are on the GPU come back
/// when the host touches them.
void advise_back(Chunk &chunk) {
  if (chunk.moved) {
    chunk.moved = false;
    gpu_at(chunk.source().index).advise_host(chunk.address, chunk.size());
  }
}

/// A quarter of what there is is enough to keep for arrays that may never come.
bool keeps_too_much(Source source) {
  const bool on_gpu = source.is_on_gpu();
  const std::size_t all = on_gpu ? gpu_at(source.index).memory() : os::memory();
  const std::scoped_lock lock(pool.mutex);
  return pool.counts.cached(on_gpu) > all / 4;
}

Chunk *take_or_allocate(Source source, std::size_t size) {
  if (Chunk *chunk = reuse(source, size)) {
    return chunk;
  }
  if (keeps_too_much(source)) {
    empty_cache();
  }
  Chunk *chunk = allocate(source, size);
  if (chunk == nullptr) {
    empty_cache();
    chunk = allocate(source, size);
  }
  return chunk;
}

} // namespace

Source Chunk::source() const { return slab->source; }

std::size_t Chunk::size() const { return slab->part; }

std::size_t class_of(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) {
    throw MemoryError("cannot allocate " + std::to_string(bytes) + " bytes of host memory");
  }
  std::size_t power = PAGE;
  while (power < bytes && bytes < LARGE) {
    power *= 2;
  }
  const std::size_t step = std::max(bytes < LARGE ? power / STEPS : PAGE, PAGE);
  return (std::max<std::size_t>(bytes, 1) + step - 1) / step * step;
}

Chunk &take(Source source, std::size_t bytes) {
  Chunk *chunk = nullptr;
  try {
    chunk = take_or_allocate(source, class_of(bytes));
  } catch (const std::bad_alloc &) {
    chunk = nullptr; // there is none for what the pool itself needs
  }
  if (chunk == nullptr) {
    throw MemoryError("cannot allocate " + std::to_string(bytes) + " bytes of " + source.name() +
                      " memory");
  }
  try {
    advise_back(*chunk);
  } catch (...) {
    const std::scoped_lock lock(pool.mutex);
    set_free(*chunk);
    throw;
  }
  const std::scoped_lock lock(pool.mutex);
  pool.counts.use(*chunk);
  return *chunk;
}

void give_back(Chunk &chunk, bool busy) noexcept {
  Slab *idle = nullptr;
  {
    const std::scoped_lock lock(pool.mutex);
    pool.counts.end_use(chunk);
    if (busy) {
      ++chunk.slab->home->busy;
      pool.busy.push(chunk);
    } else {
      set_free(chunk);
    }
    if (pool.counts.cached(false) > os::memory() / 4) {
      idle = pool.remove_idle_slabs(true); // the rest waits for the next allocation
    }
  }
  free_slabs(idle); // the host's memory, which makes no error
}

} // namespace pool

MemoryStatistics memory_statistics() {
  const std::scoped_lock lock(pool::pool.mutex);
  return pool::pool.counts.all();
}

void empty_cache() {
  let_go();
  std::exception_ptr error;
  try {
    pool::settle();
  } catch (...) {
    error = std::current_exception(); // what is idle is given back anyway
  }
  pool::Slab *idle = nullptr;
  {
    const std::scoped_lock lock(pool::pool.mutex);
    idle = pool::pool.remove_idle_slabs(false);
  }
  pool::free_slabs(idle);
  if (error != nullptr) {
    std::rethrow_exception(error);
  }
}

} // namespace host
