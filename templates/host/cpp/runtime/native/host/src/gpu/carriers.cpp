#include "carriers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>

#include "../memory/block.hpp"
#include "../threads.hpp"
#include "cuda_stream.hpp"
#include "current.hpp"

namespace host {

namespace {

/// Carriers that keep the bus busy. More wait for each other.
constexpr std::size_t ENOUGH = 8;

/// Bytes of a chunk. Large ones cost less, but there must be some for every carrier.
constexpr std::size_t SMALLEST = std::size_t{256} << 10U;
constexpr std::size_t LARGEST = std::size_t{1} << 20U;

} // namespace

/// The chunks of an array that no thread has taken yet.
class Carriers::Chunks {
public:
  struct Chunk {
    std::size_t offset;
    std::size_t bytes;
  };

  explicit Chunks(std::size_t bytes)
      : bytes_(bytes), size_(std::clamp(bytes / ENOUGH, SMALLEST, LARGEST)) {}

  std::size_t count() const { return (bytes_ + size_ - 1) / size_; }

  std::optional<Chunk> take() {
    const std::size_t offset = size_ * next_++;
    if (offset >= bytes_) {
      return {};
    }
    return Chunk{offset, std::min(size_, bytes_ - offset)};
  }

private:
  const std::size_t bytes_;
  const std::size_t size_;
  std::atomic<std::size_t> next_{0};
};

/// The buffers of a thread, made when they are needed. The GPU must be current.
class Carriers::Carrier {
public:
  Carrier(const Gpu &gpu, Stream stream) : gpu_(gpu), stream_(stream) {}

  void upload(Chunks &chunks, const std::byte *from, std::uintptr_t to) {
    while (const auto chunk = chunks.take()) {
      Buffer &buffer = next();
      buffer.transferred.synchronize();
      std::memcpy(buffer.memory(), from + chunk->offset, chunk->bytes);
      transfer(buffer, to + chunk->offset, buffer.block->address(), chunk->bytes);
    }
  }

  void download(Chunks &chunks, std::uintptr_t from, std::byte *to) {
    auto coming = fetch(chunks, from);
    while (const auto fetched = coming) {
      coming = fetch(chunks, from);
      fetched->buffer->transferred.synchronize();
      std::memcpy(to + fetched->chunk.offset, fetched->buffer->memory(), fetched->chunk.bytes);
    }
  }

private:
  struct Buffer {
    explicit Buffer(const Gpu &gpu)
        : block(BlockAccess::allocate_on(gpu, LARGEST, MemoryKind::Pinned)) {}

    std::shared_ptr<Block> block;
    Event transferred; // the last transfer that uses it

    void *memory() const { return reinterpret_cast<void *>(block->address()); }
  };

  struct Fetched {
    Chunks::Chunk chunk;
    Buffer *buffer;
  };

  Buffer &next() {
    auto &buffer = buffers_[turn_++ % buffers_.size()];
    if (buffer == nullptr) {
      buffer = std::make_unique<Buffer>(gpu_);
    }
    return *buffer;
  }

  /// Starts the transfer of the next chunk, if there is one.
  std::optional<Fetched> fetch(Chunks &chunks, std::uintptr_t from) {
    const auto chunk = chunks.take();
    if (!chunk) {
      return {};
    }
    Buffer &buffer = next();
    transfer(buffer, buffer.block->address(), from + chunk->offset, chunk->bytes);
    return Fetched{*chunk, &buffer};
  }

  void transfer(Buffer &buffer, std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
    check(cudaMemcpyAsync(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes,
                          cudaMemcpyDefault, cuda(stream_)));
    buffer.transferred.record(stream_);
  }

  const Gpu &gpu_;
  Stream stream_;
  std::array<std::unique_ptr<Buffer>, 2> buffers_;
  std::size_t turn_ = 0;
};

Carriers::Carriers(const Gpu &gpu, Stream stream) : gpu_(gpu) {
  for (std::size_t thread = 0; thread < std::min(threads::count(), ENOUGH); ++thread) {
    carriers_.emplace_back(gpu, stream);
  }
}

Carriers::~Carriers() = default;

void Carriers::share(std::size_t bytes, const std::function<void(Carrier &, Chunks &)> &work) {
  Chunks chunks(bytes);
  threads::run(std::min(chunks.count(), carriers_.size()), [&](std::size_t index) {
    const Current current(gpu_);
    work(carriers_[index], chunks);
  });
}

void Carriers::upload(const std::byte *from, std::uintptr_t to, std::size_t bytes) {
  share(bytes, [=](Carrier &carrier, Chunks &chunks) { carrier.upload(chunks, from, to); });
}

void Carriers::download(std::uintptr_t from, std::byte *to, std::size_t bytes) {
  share(bytes, [=](Carrier &carrier, Chunks &chunks) { carrier.download(chunks, from, to); });
}

} // namespace host
