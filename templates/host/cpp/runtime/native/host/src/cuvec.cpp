#include <host/cuvec.hpp>

#include <mutex>
#include <unordered_map>

#include <host/fork.hpp>

namespace host {

namespace {

/// What vectors hold, by address: an allocator gets nothing else back.
struct Lent {
  Lent() { hold_at_fork(mutex); }

  std::mutex mutex;
  std::unordered_map<const void *, std::shared_ptr<Block>> blocks;
};

Lent &lent = *new Lent; // never destroyed: vectors may outlive it

} // namespace

void *lend(std::size_t bytes) {
  auto block = Block::allocate(bytes);
  const auto address = block->address();
  const std::scoped_lock lock(lent.mutex);
  lent.blocks.emplace(reinterpret_cast<void *>(address), std::move(block));
  return reinterpret_cast<void *>(address);
}

void give_back(const void *memory) noexcept {
  std::shared_ptr<Block> last; // destroyed after the lock is released
  const std::scoped_lock lock(lent.mutex);
  const auto found = lent.blocks.find(memory);
  if (found != lent.blocks.end()) {
    last = std::move(found->second);
    lent.blocks.erase(found);
  }
}

std::shared_ptr<Block> lent_block(const void *memory) {
  const std::scoped_lock lock(lent.mutex);
  const auto found = lent.blocks.find(memory);
  return found == lent.blocks.end() ? nullptr : found->second;
}

} // namespace host
