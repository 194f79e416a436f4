#include "blocks.hpp"

#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include <host/fork.hpp>

namespace core {

namespace {

using Blocks = std::map<std::uintptr_t, std::shared_ptr<host::Block>>;

struct Known {
  Known() { host::hold_at_fork(mutex); }

  std::mutex mutex;
  Blocks blocks;
  std::atomic<bool> any = false; // there has been one: without a GPU nothing is ever looked for
};

/// Made when the library is loaded, which no other thread can be in the middle of when one forks;
/// never destroyed, because the interpreter may end after this library's own end has begun.
Known &known = *new Known;

} // namespace

void add(const std::shared_ptr<host::Block> &block) {
  if (block->gpu() && block->size() != 0) {
    std::shared_ptr<host::Block> added = block;
    const std::scoped_lock lock(known.mutex);
    std::swap(known.blocks[block->address()], added); // another one ends after the lock
    known.any = true;
  }
}

void remove(const host::Block &block) noexcept {
  if (!known.any) {
    return;
  }
  Blocks::node_type removed; // ends after the lock, for it may be the block's last owner
  const std::scoped_lock lock(known.mutex);
  const auto found = known.blocks.find(block.address());
  if (found != known.blocks.end() && found->second.get() == &block) {
    removed = known.blocks.extract(found);
  }
}

std::shared_ptr<host::Block> block_of(std::uintptr_t address, std::size_t bytes) {
  if (!known.any) {
    return nullptr;
  }
  const std::scoped_lock lock(known.mutex);
  const auto next = known.blocks.upper_bound(address);
  if (next == known.blocks.begin()) {
    return nullptr;
  }
  const auto &block = std::prev(next)->second;
  return block->contains(address, bytes) ? block : nullptr;
}

} // namespace core
