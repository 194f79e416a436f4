#include "staging.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "../memory/block.hpp"
#include "../threads.hpp"
#include "cuda_stream.hpp"
#include "current.hpp"

namespace host::staging {

namespace {

/// Bytes that a thread carries at a time. Less than two of the smallest chunks are left to CUDA.
constexpr std::size_t SMALLEST = std::size_t{256} << 10U;
constexpr std::size_t LARGEST = std::size_t{2} << 20U;
/// Large enough a number for the copies by the CPU to keep up with the bus.
constexpr std::size_t CHUNKS = 8;

/// Large chunks cost less, but those of a small array must be enough for several threads.
std::size_t chunk_of(std::size_t bytes) { return std::clamp(bytes / CHUNKS, SMALLEST, LARGEST); }

/// A pinned buffer, and the end of the transfer that uses it. The GPU must be current.
class Carrier {
public:
  Carrier(const Gpu &gpu, Stream stream)
      : stream_(stream), buffer_(BlockAccess::allocate_on(gpu, LARGEST, MemoryKind::Pinned)) {}

  ~Carrier() {
    // The buffer must not be used again before this. An error was met, and reported, where the
    // transfer was started, or will be where the stream is waited for.
    ignore(cudaEventSynchronize(transferred_.get()));
  }
  Carrier(const Carrier &) = delete;
  Carrier &operator=(const Carrier &) = delete;

  void upload(const void *from, std::uintptr_t to, std::size_t bytes) {
    std::memcpy(buffer(), from, bytes);
    check(cudaMemcpyAsync(reinterpret_cast<void *>(to), pinned(), bytes, cudaMemcpyHostToDevice,
                          cuda(stream_)));
    transferred_.record(stream_);
  }

  void download(std::uintptr_t from, void *to, std::size_t bytes) {
    check(cudaMemcpyAsync(buffer(), reinterpret_cast<const void *>(from), bytes,
                          cudaMemcpyDeviceToHost, cuda(stream_)));
    transferred_.record(stream_);
    std::memcpy(to, buffer(), bytes);
  }

private:
  void *pinned() const { return reinterpret_cast<void *>(buffer_->address()); }

  /// The buffer, once its last transfer has ended.
  void *buffer() {
    transferred_.synchronize();
    return pinned();
  }

  Stream stream_;
  std::shared_ptr<Block> buffer_;
  Event transferred_;
};

/// Calls carry(carrier, offset, bytes) for every chunk, on several threads with a carrier each.
template <typename Carry>
void carry_in_chunks(const Gpu &gpu, Stream stream, std::size_t bytes, const Carry &carry) {
  const std::size_t size = chunk_of(bytes);
  const std::size_t chunks = (bytes + size - 1) / size;
  std::atomic<std::size_t> next{0};
  threads::run(std::min(chunks, threads::count()), [&](std::size_t /*thread*/) {
    const Current current(gpu);
    Carrier carrier(gpu, stream);
    for (std::size_t chunk = next++; chunk < chunks; chunk = next++) {
      const std::size_t offset = chunk * size;
      carry(carrier, offset, std::min(size, bytes - offset));
    }
  });
}

} // namespace

void upload(const Gpu &gpu, Stream stream, const void *from, std::uintptr_t to, std::size_t bytes) {
  if (bytes < 2 * SMALLEST) {
    const Current current(gpu);
    check(cudaMemcpyAsync(reinterpret_cast<void *>(to), from, bytes, cudaMemcpyHostToDevice,
                          cuda(stream)));
    return;
  }
  carry_in_chunks(gpu, stream, bytes, [=](Carrier &carrier, std::size_t offset, std::size_t size) {
    carrier.upload(static_cast<const std::byte *>(from) + offset, to + offset, size);
  });
}

void download(const Gpu &gpu, Stream stream, std::uintptr_t from, void *to, std::size_t bytes) {
  if (bytes < 2 * SMALLEST) {
    const Current current(gpu);
    check(cudaMemcpyAsync(to, reinterpret_cast<const void *>(from), bytes, cudaMemcpyDeviceToHost,
                          cuda(stream)));
    check(cudaStreamSynchronize(cuda(stream)));
    return;
  }
  carry_in_chunks(gpu, stream, bytes, [=](Carrier &carrier, std::size_t offset, std::size_t size) {
    carrier.download(from + offset, static_cast<std::byte *>(to) + offset, size);
  });
}

} // namespace host::staging
