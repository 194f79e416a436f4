#include "block.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <host/error.hpp>

#include "../device.hpp"
#include "../os.hpp"
#include "pending.hpp"
#include "placement.hpp"
#include "pool.hpp"

namespace host {

struct Block::State {
  State(Source source, std::size_t bytes, MemoryKind kind)
      : chunk(pool::take(source, bytes)), address(chunk.address), size(chunk.size()),
        moves_above(most_that_stays()), source(source), kind(kind) {}
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  ~State() {
    chunk.moved = placement.is_moved();
    pool::give_back(chunk, pending.any() || exposed);
  }

  static std::shared_ptr<Block> make(Source source, std::size_t bytes, MemoryKind kind) {
    return std::shared_ptr<Block>(new Block(std::make_unique<State>(source, bytes, kind)));
  }

  /// Whether an array can move, and no other with it: it is in most pages of the block, the pages
  /// of a small one have nothing else in them, and the host's use of them can be seen afterwards.
  bool can_move(const Array &array) const { return array.bytes() > moves_above; }

  // What calls need of the chunk is here as well, and all of it next to each other: it is far from
  // the caches when a call comes.
  pool::Chunk &chunk;
  const std::uintptr_t address;
  const std::size_t size;
  const std::size_t moves_above; // arrays of more bytes can move
  const Source source;
  const MemoryKind kind;
  std::atomic<bool> exposed{false}; // another library may still use it when we no longer do
  Pending pending;                  // kernels of ours
  Placement placement;

private:
  std::size_t most_that_stays() const {
    if (!os::HAS_PAGE_TABLE || chunk.source().kind != Source::Kind::Managed) {
      return std::numeric_limits<std::size_t>::max();
    }
    const std::size_t half = size / 2 / os::page() * os::page();
    return size % os::page() == 0 ? half : std::max(half, LARGE_TO_MOVE - 1);
  }
};

Block::Block(std::unique_ptr<State> state) : state_(std::move(state)) {}

Block::~Block() = default;

std::shared_ptr<Block> Block::allocate(std::size_t bytes, MemoryKind kind) {
  if (const Gpu *gpu = current_gpu()) {
    return BlockAccess::allocate_on(*gpu, bytes, kind);
  }
  return State::make({Source::Kind::Host, 0}, bytes, kind);
}

std::shared_ptr<Block> Block::zeroed(std::size_t bytes, MemoryKind kind) {
  auto block = allocate(bytes, kind);
  std::memset(reinterpret_cast<void *>(block->address()), 0, bytes);
  return block;
}

std::uintptr_t Block::address() const { return state_->address; }

std::size_t Block::size() const { return state_->size; }

bool Block::contains(std::uintptr_t address, std::size_t bytes) const {
  const auto [start, size] = std::pair(state_->address, state_->size);
  return start <= address && address - start <= size && bytes <= size - (address - start);
}

MemoryKind Block::kind() const { return state_->kind; }

std::optional<int> Block::gpu() const { return state_->source.gpu(); }

void Block::synchronize() {
  state_->pending.settle([this] { gpu_at(state_->source.index).synchronize(); });
}

void Block::expose() { state_->exposed.store(true, std::memory_order_release); }

void Block::prefetch(Side side, std::size_t offset, std::size_t bytes,
                     std::optional<Stream> stream) {
  const Source source = state_->source;
  if (source.kind != Source::Kind::Managed || bytes == 0) {
    return;
  }
  const Gpu &gpu = gpu_at(source.index);
  state_->placement.prefetch(side, address() + offset, bytes, gpu,
                             stream ? *stream : gpu.thread_stream());
}

std::shared_ptr<Block> BlockAccess::allocate_on(const Gpu &gpu, std::size_t bytes,
                                                MemoryKind kind) {
  const bool managed = kind == MemoryKind::Managed && gpu.shares_managed_memory();
  const auto source = managed ? Source::Kind::Managed : Source::Kind::Pinned;
  return Block::State::make({source, gpu.index()}, bytes, kind);
}

std::shared_ptr<Block> BlockAccess::scratch(const Gpu &gpu, std::size_t bytes) {
  return Block::State::make({Source::Kind::Device, gpu.index()}, bytes, MemoryKind::Managed);
}

void BlockAccess::before_call(Block &block, const Array &array, bool with_large, const Gpu &gpu,
                              Stream stream) {
  if (block.state_->can_move(array)) {
    block.state_->placement.before_call(array, with_large, gpu, stream);
  }
}

void BlockAccess::after_call(Block &block, const Array &array, bool ended) {
  if (!ended) {
    block.state_->pending.note();
  } else if (block.state_->can_move(array)) {
    block.state_->placement.after_end(array);
  }
}

const char *name(MemoryKind kind) { return kind == MemoryKind::Managed ? "managed" : "pinned"; }

MemoryKind memory_kind(std::string_view name) {
  for (const auto kind : {MemoryKind::Managed, MemoryKind::Pinned}) {
    if (name == host::name(kind)) {
      return kind;
    }
  }
  throw ValueError("memory is \"" + std::string(name) +
                   R"(", but it must be "managed" or "pinned")");
}

Side side(std::string_view name) {
  if (name == "host") {
    return Side::Host;
  }
  if (name == "device") {
    return Side::Device;
  }
  throw ValueError("cannot prefetch to \"" + std::string(name) +
                   R"(": it must be "device" or "host")");
}

} // namespace host
