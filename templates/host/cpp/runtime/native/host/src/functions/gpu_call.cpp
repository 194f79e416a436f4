#include "gpu_call.hpp"

#include <new>

#include <host/array.hpp>
#include <host/error.hpp>

#include "../gpu/gpu.hpp"
#include "../memory/block.hpp"

namespace host {

GpuCall::GpuCall(const Gpu &gpu, Stream stream) : gpu_(gpu) {
  // 0 and 1 are both the legacy default stream, but null is the CPU.
  this->stream = reinterpret_cast<void *>(stream.handle == 0 ? 1 : stream.handle);
  this->gpu = gpu.index();
  scratch = take;
  parallel = nullptr;
  interrupted = nullptr;
  error[0] = '\0'; // the rest is not filled: it is most of the object
}

GpuCall::~GpuCall() {
  for (const auto &block : lent_) {
    BlockAccess::after_call(*block, Array(), ended_);
  }
}

void *GpuCall::take(cuvec_call *call, std::size_t bytes) noexcept {
  try {
    auto &self = *static_cast<GpuCall *>(call);
    auto block = BlockAccess::scratch(self.gpu_, bytes);
    return reinterpret_cast<void *>(self.lent_.emplace_back(std::move(block))->address());
  } catch (const MemoryError &) {
    return nullptr;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

} // namespace host
