// Threads that take memory, give it back and share work at the same time: for ThreadSanitizer above
// all.
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include <host/cuvec.hpp>
#include <host/device.hpp>
#include <host/memory.hpp>
#include <host/ops.hpp>

#include "test.hpp"
#include "threads.hpp"

namespace {

/// Calls a function many times on several threads, each with its number.
template <typename Function> void on_threads(const Function &function) {
  constexpr int THREADS = 4;
  constexpr int TIMES = 200;
  std::vector<std::thread> threads;
  threads.reserve(THREADS);
  for (int number = 0; number < THREADS; ++number) {
    threads.emplace_back([&function, number] {
      for (int i = 0; i < TIMES; ++i) {
        function(number, i);
      }
    });
  }
  for (auto &thread : threads) {
    thread.join();
  }
}

} // namespace

TEST(memory_is_one_threads_at_a_time) {
  std::atomic<int> shared{0};
  const auto before = host::memory_statistics().used;
  on_threads([&shared](int number, int i) {
    const auto block = host::Block::allocate(static_cast<std::size_t>(1 + i % 50 * 20'000));
    auto *first = reinterpret_cast<volatile int *>(block->address());
    *first = number;
    std::this_thread::yield();
    shared += *first == number ? 0 : 1;
    if (i % 50 == 0) {
      block->expose();
      host::empty_cache();
    }
  });
  CHECK(shared == 0);
  CHECK(host::memory_statistics().used == before);
}

TEST(a_block_that_threads_share_is_given_back_once) {
  const auto before = host::memory_statistics().used;
  for (int i = 0; i < 20; ++i) {
    auto block = host::Block::zeroed(1000);
    on_threads([&block](int /*number*/, int i) {
      if (i < 10) {
        auto share = block;
        share->synchronize();
        share.reset();
      }
    });
  }
  CHECK(host::memory_statistics().used == before);
}

TEST(calls_of_several_threads_do_not_meet) {
  std::atomic<int> wrong{0};
  on_threads([&wrong](int number, int i) {
    if (i % 10 == 0) {
      host::CuVec<double> x(100'000, 1.0 + number);
      host::CuVec<double> y(100'000, number);
      host::assign(host::array(x), host::array(y));
      std::atomic<int> right{0};
      host::threads::run(100,
                         [&](std::size_t task) { right += y[task * 1000] == x[task] ? 1 : 0; });
      wrong += right == 100 ? 0 : 1;
      host::device();
    }
  });
  CHECK(wrong == 0);
}
