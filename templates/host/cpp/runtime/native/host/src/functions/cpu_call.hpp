// What a body borrows while it runs on the CPU.
#pragma once

#include <cuvec/abi.h>

#include <memory>
#include <vector>

namespace host {

/// Its memory lives as long as this.
class CpuCall : public cuvec_call {
public:
  CpuCall();

private:
  static void *take(cuvec_call *call, std::size_t bytes) noexcept;

  std::vector<std::unique_ptr<std::byte[]>> scratch_;
};

} // namespace host
