// Memory: the pool is Rust's.

#include <host/memory.hpp>

#include "rust.hpp"

namespace host {

struct Block::State {
  rust::Box<rs::Block> rust;
};

/// What only this file may do.
struct BlockAccess {
  static std::shared_ptr<Block> make(rust::Box<rs::Block> block) {
    auto state = std::make_unique<Block::State>(Block::State{std::move(block)});
    return std::shared_ptr<Block>(new Block(std::move(state)));
  }

  static const rs::Block &rust(const Block &block) { return *block.state_->rust; }
};

std::shared_ptr<Block> to_block(rust::Box<rs::Block> block) {
  return BlockAccess::make(std::move(block));
}

rs::Array to_rust(const Array &array) {
  const auto *block = std::get_if<InBlock>(&array.place);
  const auto *foreign = std::get_if<InForeignMemory>(&array.place);
  return {array.address,
          array.dtype,
          {array.shape.data(), array.shape.size()},
          array.contiguous,
          array.writable,
          block == nullptr ? nullptr : &BlockAccess::rust(**block),
          foreign == nullptr ? -1 : foreign->gpu,
          to_rust(array.ready)};
}

const char *name(MemoryKind kind) { return kind == MemoryKind::Managed ? "managed" : "pinned"; }

MemoryKind memory_kind(std::string_view name) {
  return checked([&] { return rs::memory_kind({name.data(), name.size()}); });
}

Side side(std::string_view name) {
  return checked([&] { return rs::side({name.data(), name.size()}); });
}

Block::Block(std::unique_ptr<State> state) : state_(std::move(state)) {}

Block::~Block() = default;

std::shared_ptr<Block> Block::allocate(std::size_t bytes, MemoryKind kind) {
  return to_block(checked([&] { return rs::allocate(bytes, kind, false); }));
}

std::shared_ptr<Block> Block::zeroed(std::size_t bytes, MemoryKind kind) {
  return to_block(checked([&] { return rs::allocate(bytes, kind, true); }));
}

std::uintptr_t Block::address() const { return state_->rust->address(); }

std::size_t Block::size() const { return state_->rust->size(); }

bool Block::contains(std::uintptr_t address, std::size_t bytes) const {
  return address >= this->address() && bytes <= size() &&
         address - this->address() <= size() - bytes;
}

MemoryKind Block::kind() const { return state_->rust->kind(); }

std::optional<int> Block::gpu() const { return index_of(state_->rust->gpu()); }

void Block::synchronize() {
  checked([&] { state_->rust->synchronize(); });
}

void Block::expose() { state_->rust->expose(); }

void Block::prefetch(Side side, std::size_t offset, std::size_t bytes,
                     std::optional<Stream> stream) {
  checked([&] { state_->rust->prefetch(side, offset, bytes, to_rust(stream)); });
}

MemoryStatistics memory_statistics() {
  const rs::Statistics statistics = rs::memory_statistics();
  return {statistics.used, statistics.held};
}

void empty_cache() {
  checked([] { rs::empty_cache(); });
}

} // namespace host
