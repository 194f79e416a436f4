// The threads that share the work of one call.
#include "threads.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "test.hpp"

TEST(every_task_runs_once) {
  for (const std::size_t tasks : {0, 1, 2, 3, 1000}) {
    std::vector<std::atomic<int>> runs(tasks);
    host::threads::run(tasks, [&runs](std::size_t i) { ++runs[i]; });
    for (const auto &count : runs) {
      CHECK(count == 1);
    }
  }
}

TEST(the_error_of_a_task_is_rethrown) {
  const auto task = [](std::size_t i) {
    if (i == 5) {
      throw std::runtime_error("the fifth");
    }
  };
  CHECK_THROWS(host::threads::run(10, task), std::runtime_error, "the fifth");
}

TEST(several_threads_share_the_pool) {
  std::atomic<int> runs{0};
  std::vector<std::thread> callers;
  callers.reserve(8);
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&runs] {
      for (int i = 0; i < 50; ++i) {
        host::threads::run(20, [&runs](std::size_t /*i*/) { ++runs; });
      }
    });
  }
  for (std::thread &caller : callers) {
    caller.join();
  }
  CHECK(runs == 8 * 50 * 20);
}
