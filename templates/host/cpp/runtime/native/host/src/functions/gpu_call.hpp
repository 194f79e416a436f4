// What a body borrows while it starts work on a GPU.
#pragma once

#include <cuvec/abi.h>

#include <host/memory.hpp>
#include <host/stream.hpp>

#include "../memory/held.hpp"

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

  /// What it has been lent.
  const Blocks &lent() const { return lent_; }

private:
  static void *take(cuvec_call *call, std::size_t bytes) noexcept;

  const Gpu &gpu_;
  bool ended_ = false;
  Blocks lent_;
};

} // namespace host
