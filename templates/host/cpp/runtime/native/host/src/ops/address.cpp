#include <host/ops.hpp>

#include <host/error.hpp>

#include "../device.hpp"
#include "../gpu/call.hpp"
#include "../gpu/launch.hpp"

namespace host {

std::uintptr_t address(const Array &x) {
  const Gpu *gpu = common_gpu({&x});
  if constexpr (Gpu::BUILT) {
    if (gpu != nullptr && x.is_in_host_memory()) {
      throw ValueError("x is in host memory, which has no address on the GPU; "
                       "pass cuvec.asarray(x)");
    }
    if (gpu != nullptr) {
      const auto block = Block::zeroed(sizeof(std::uint64_t), MemoryKind::Pinned);
      auto *seen = reinterpret_cast<std::uint64_t *>(block->address());
      Call call(*gpu, {}, {&x});
      launch::address(call.input<void>(x), seen, call.stream());
      call.finish();
      return *seen;
    }
  }
  return x.address;
}

} // namespace host
