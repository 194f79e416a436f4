#include "blocks.hpp"

#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace core {

namespace {

struct Known {
  std::shared_mutex mutex;
  std::map<std::uintptr_t, std::shared_ptr<host::Block>> blocks;
  std::atomic<bool> any = false; // there has been one: without a GPU nothing is ever looked for
};

/// Never destroyed: the interpreter may end after this library's own end has begun.
Known &known() {
  static auto *const known = new Known();
  return *known;
}

} // namespace

void add(const std::shared_ptr<host::Block> &block) {
  if (block->gpu() && block->size() != 0) {
    const std::unique_lock lock(known().mutex);
    known().blocks.insert_or_assign(block->address(), block);
    known().any = true;
  }
}

void remove(const host::Block &block) noexcept {
  if (!known().any) {
    return;
  }
  const std::unique_lock lock(known().mutex);
  const auto found = known().blocks.find(block.address());
  if (found != known().blocks.end() && found->second.get() == &block) {
    known().blocks.erase(found);
  }
}

std::shared_ptr<host::Block> block_of(std::uintptr_t address, std::size_t bytes) {
  if (!known().any) {
    return nullptr;
  }
  const std::shared_lock lock(known().mutex);
  const auto next = known().blocks.upper_bound(address);
  if (next == known().blocks.begin()) {
    return nullptr;
  }
  const auto &block = std::prev(next)->second;
  return block->contains(address, bytes) ? block : nullptr;
}

} // namespace core
