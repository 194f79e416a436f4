// Whether kernels that nobody has waited for may still use a block.
//
// Numbers, and no flag: who waits clears what was there before he waited, and not what another
// thread launches meanwhile.
#pragma once

#include <atomic>
#include <cstdint>

namespace host {

class Pending {
public:
  /// A kernel that uses the block has been launched.
  void note() { launched_.fetch_add(1, std::memory_order_acq_rel); }

  /// Whether one may still run.
  bool any() const {
    // in this order: the second is never ahead of a first that was read before it
    const std::uint64_t done = done_.load(std::memory_order_acquire);
    return launched_.load(std::memory_order_acquire) != done;
  }

  /// Calls `wait`, if there is something to wait for; it returns when all that was launched before
  /// has ended.
  template <typename Wait> void settle(const Wait &wait) {
    const std::uint64_t launched = launched_.load(std::memory_order_acquire);
    std::uint64_t done = done_.load(std::memory_order_acquire);
    if (done >= launched) {
      return;
    }
    wait();
    while (done < launched &&
           !done_.compare_exchange_weak(done, launched, std::memory_order_acq_rel)) {
    }
  }

private:
  std::atomic<std::uint64_t> launched_{0};
  std::atomic<std::uint64_t> done_{0}; // of them, as far as has been waited for
};

} // namespace host
