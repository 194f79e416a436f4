// What a body borrows while it starts work on a GPU.
#pragma once

#include <cuvec/abi.h>

#include <memory>
#include <vector>

#include <host/memory.hpp>
#include <host/stream.hpp>

namespace host {

class Gpu;

/// Its memory is not reused before the GPU is done with it.
class GpuCall : public cuvec_call {
public:
  GpuCall(const Gpu &gpu, Stream stream);
  ~GpuCall();
  GpuCall(const GpuCall &) = delete;
  GpuCall &operator=(const GpuCall &) = delete;

  /// The GPU has been waited for.
  void end() { ended_ = true; }

private:
  static void *take(cuvec_call *call, std::size_t bytes) noexcept;

  const Gpu &gpu_;
  bool ended_ = false;
  std::vector<std::shared_ptr<Block>> scratch_;
};

} // namespace host
