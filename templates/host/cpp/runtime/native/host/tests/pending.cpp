// Blocks that kernels still use: what one thread waits for, and another launches meanwhile.
#include "memory/pending.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "test.hpp"

using host::Pending;

namespace {

/// As much of a GPU as matters: what was launched, and what of it has ended.
class FakeGpu {
public:
  /// The number of a new kernel.
  int launch() { return ++launched_; }

  void synchronize() {
    const int before = launched_;
    if (before % 16 == 0) { // others launch meanwhile
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    int ended = ended_;
    while (ended < before && !ended_.compare_exchange_weak(ended, before)) {
    }
  }

  bool has_ended(int kernel) const { return kernel <= ended_; }

private:
  std::atomic<int> launched_{0};
  std::atomic<int> ended_{0};
};

} // namespace

TEST(a_launch_during_a_wait_stays_pending) {
  Pending pending;
  CHECK(!pending.any());
  pending.note();
  CHECK(pending.any());
  pending.settle([&pending] { pending.note(); });
  CHECK(pending.any());
  pending.settle([] {});
  CHECK(!pending.any());
}

TEST(an_early_wait_that_ends_late_takes_nothing_back) {
  Pending pending;
  pending.note();
  pending.settle([&pending] { // has seen the first launch only
    pending.note();
    pending.settle([] {}); // has seen both, and is done before
  });
  CHECK(!pending.any());
}

TEST(nothing_is_waited_for_twice) {
  Pending pending;
  int waits = 0;
  pending.note();
  pending.settle([&waits] { ++waits; });
  pending.settle([&waits] { ++waits; });
  CHECK(waits == 1);
}

TEST(a_wait_that_fails_has_not_been) {
  Pending pending;
  pending.note();
  CHECK_THROWS(pending.settle([] { throw std::runtime_error("no"); }), std::runtime_error, "no");
  CHECK(pending.any());
}

TEST(whoever_has_waited_for_his_kernel_finds_it_ended) {
  constexpr int THREADS = 4;
  constexpr int TIMES = 5000;
  Pending pending;
  FakeGpu gpu;
  std::atomic<int> running{0};
  std::vector<std::thread> threads;
  threads.reserve(THREADS);
  for (int number = 0; number < THREADS; ++number) {
    threads.emplace_back([&] {
      for (int i = 0; i < TIMES; ++i) {
        const int kernel = gpu.launch();
        pending.note();
        pending.settle([&gpu] { gpu.synchronize(); });
        running += gpu.has_ended(kernel) ? 0 : 1;
      }
    });
  }
  for (auto &thread : threads) {
    thread.join();
  }
  CHECK(running == 0);
  CHECK(!pending.any());
}
