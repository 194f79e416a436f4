// What a body borrows while it runs on the CPU.
#pragma once

#include <cuvec/abi.h>

#include <chrono>
#include <memory>
#include <vector>

namespace host {

/// Its memory lives as long as this.
class CpuCall : public cuvec_call {
public:
  CpuCall();

private:
  using Clock = std::chrono::steady_clock;

  static void *take(cuvec_call *call, std::size_t bytes) noexcept;
  static int run(cuvec_call *call, std::int64_t tasks, void (*task)(void *, std::int64_t),
                 void *context);
  static int ask(cuvec_call *call);

  bool is_interrupted();

  Clock::time_point next_look_;
  bool interrupted_ = false;
  // NOLINTNEXTLINE(*-avoid-c-arrays): a std::vector would fill it
  std::vector<std::unique_ptr<std::byte[]>> scratch_;
};

} // namespace host
