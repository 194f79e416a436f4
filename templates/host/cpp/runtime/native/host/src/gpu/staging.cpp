#include "staging.hpp"

#include <cstring>

#include "../memory/block.hpp"
#include "cuda_stream.hpp"

namespace host {

namespace {

/// Bytes of the largest array that the GPU works on over the bus. A kernel that reads an element
/// many times would be slow with larger ones.
constexpr std::size_t SMALL = std::size_t{64} << 10U;

/// Bytes of the largest array that one thread copies faster than several can be called.
constexpr std::size_t MEDIUM = std::size_t{1} << 20U;

void *memory(const Block &block) { return reinterpret_cast<void *>(block.address()); }

} // namespace

Staging::Staging(const Gpu &gpu, Stream stream) : gpu_(gpu), stream_(stream) {}

std::uintptr_t Staging::add(const Array &array, bool reads, bool returns) {
  const std::size_t bytes = array.bytes();
  const auto *from = array.data<const std::byte>();
  Staged &staged = staged_.emplace_back(Staged{&array, returns, {}, {}});
  if (bytes > SMALL) {
    staged.device = BlockAccess::scratch(gpu_, bytes);
  }
  if (bytes > MEDIUM) {
    if (reads) {
      carriers().upload(from, staged.device->address(), bytes);
    }
    return staged.device->address();
  }
  staged.pinned = BlockAccess::allocate_on(gpu_, bytes, MemoryKind::Pinned);
  if (reads) {
    std::memcpy(memory(*staged.pinned), from, bytes);
  }
  if (staged.device == nullptr) {
    return staged.pinned->address();
  }
  if (reads) {
    copy(*staged.device, *staged.pinned, bytes);
  }
  return staged.device->address();
}

void Staging::begin_return() {
  for (const Staged &staged : staged_) {
    if (!staged.returns || staged.device == nullptr) {
      continue;
    }
    const std::size_t bytes = staged.array->bytes();
    if (staged.pinned == nullptr) {
      carriers().download(staged.device->address(), staged.array->data<std::byte>(), bytes);
    } else {
      copy(*staged.pinned, *staged.device, bytes);
    }
  }
}

void Staging::finish_return() {
  for (const Staged &staged : staged_) {
    if (staged.returns && staged.pinned != nullptr) {
      std::memcpy(staged.array->data<void>(), memory(*staged.pinned), staged.array->bytes());
    }
  }
}

Carriers &Staging::carriers() {
  if (!carriers_) {
    carriers_.emplace(gpu_, stream_);
  }
  return *carriers_;
}

void Staging::copy(const Block &to, const Block &from, std::size_t bytes) {
  check(cudaMemcpyAsync(memory(to), memory(from), bytes, cudaMemcpyDefault, cuda(stream_)));
}

} // namespace host
