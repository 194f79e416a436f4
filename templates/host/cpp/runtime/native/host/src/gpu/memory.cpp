#include "gpu.hpp"

#include <cuda_runtime_api.h>

#include "cuda_error.hpp"
#include "cuda_stream.hpp"
#include "current.hpp"

namespace host {

namespace {

/// Null when there is not enough memory; other errors throw.
void *allocated(cudaError_t error, void *memory) {
  if (error == cudaErrorMemoryAllocation) {
    ignore(error);
    return nullptr;
  }
  check(error);
  return memory;
}

// CUDA 13 names places by cudaMemLocation, CUDA 12 by a number.
#if CUDART_VERSION >= 13000
cudaMemLocation location(Side side, int gpu) {
  cudaMemLocation location{};
  location.type = side == Side::Host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = side == Side::Host ? 0 : gpu;
  return location;
}

cudaError_t prefetch(const void *memory, std::size_t bytes, cudaMemLocation to,
                     cudaStream_t stream) {
  return cudaMemPrefetchAsync(memory, bytes, to, 0, stream);
}
#else
int location(Side side, int gpu) { return side == Side::Host ? cudaCpuDeviceId : gpu; }

cudaError_t prefetch(const void *memory, std::size_t bytes, int to, cudaStream_t stream) {
  return cudaMemPrefetchAsync(memory, bytes, to, stream);
}
#endif

} // namespace

void *Gpu::allocate_managed(std::size_t bytes) const {
  const Current current(*this);
  void *memory = nullptr;
  const auto error = cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal);
  memory = allocated(error, memory);
  if (memory != nullptr) {
    try {
      advise_host(reinterpret_cast<std::uintptr_t>(memory), bytes);
    } catch (...) {
      ignore(cudaFree(memory));
      throw;
    }
  }
  return memory;
}

void *Gpu::allocate_pinned(std::size_t bytes) const {
  const Current current(*this);
  void *memory = nullptr;
  const auto error = cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
  return allocated(error, memory);
}

void *Gpu::allocate_device(std::size_t bytes) const {
  const Current current(*this);
  void *memory = nullptr;
  const auto error = cudaMalloc(&memory, bytes);
  return allocated(error, memory);
}

void Gpu::free(void *memory) const {
  const Current current(*this);
  check(cudaFree(memory));
}

void Gpu::free_pinned(void *memory) const {
  const Current current(*this);
  check(cudaFreeHost(memory));
}

void Gpu::advise_host(std::uintptr_t address, std::size_t bytes) const {
  const Current current(*this);
  const auto *memory = reinterpret_cast<const void *>(address);
  check(cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation,
                      location(Side::Host, index_)));
  check(cudaMemAdvise(memory, bytes, cudaMemAdviseSetAccessedBy, location(Side::Device, index_)));
}

void Gpu::move(Side side, std::uintptr_t address, std::size_t bytes, Stream stream) const {
  const Current current(*this);
  const auto *memory = reinterpret_cast<const void *>(address);
  if (side == Side::Host) {
    advise_host(address, bytes);
  } else {
    check(cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation, location(side, index_)));
  }
  check(prefetch(memory, bytes, location(side, index_), cuda(stream)));
}

bool Gpu::has_room(std::size_t bytes) const {
  const Current current(*this);
  std::size_t available = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&available, &total));
  return available / 2 > bytes;
}

} // namespace host
