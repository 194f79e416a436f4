#include "cpu.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "test.hpp"
#include "threads.hpp"

namespace {

constexpr std::size_t TASK = std::size_t{1} << 15U;

template <typename T> std::vector<T> numbers(std::size_t n) {
  std::vector<T> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    numbers[i] = static_cast<T>(i % 16);
  }
  return numbers;
}

} // namespace

TEST(axpy_of_every_length_around_a_task) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{7}, TASK - 1, TASK, 3 * TASK + 5}) {
    const auto x = numbers<double>(n);
    std::vector<double> y(n, 1.0);
    host::cpu::axpy(2.0, x.data(), y.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(y[i] == 1.0 + 2.0 * x[i]);
    }
  }
}

TEST(dot_is_exact_where_every_partial_sum_is) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{9}, std::size_t{129}, 5 * TASK + 1}) {
    const auto x = numbers<float>(n);
    double expected = 0.0;
    for (const float value : x) {
      expected += static_cast<double>(value) * value;
    }
    CHECK(host::cpu::dot(x.data(), x.data(), n) == expected);
  }
}

TEST(dot_of_many_is_the_sum_of_its_parts) {
  const std::size_t parts = 5;
  std::vector<double> x(parts * TASK);
  std::vector<double> sums(parts);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0 / static_cast<double>(i + 1); // rounded sums, whose order can be told
  }
  for (std::size_t part = 0; part < parts; ++part) {
    sums[part] = host::cpu::dot(&x[part * TASK], &x[part * TASK], TASK);
  }
  CHECK(host::cpu::dot(x.data(), x.data(), x.size()) == host::cpu::sum(sums.data(), parts));
}

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
