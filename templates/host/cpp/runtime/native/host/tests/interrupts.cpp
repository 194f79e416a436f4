// What long work on the CPU asks, to see whether it is to end.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <host/functions.hpp>

#include "call.hpp"
#include "functions/cpu_call.hpp"
#include "test.hpp"

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<int> looks{0};
std::atomic<int> looks_elsewhere{0};
std::atomic<bool> pressed{false};
std::thread::id caller;

bool check() {
  ++looks;
  looks_elsewhere += std::this_thread::get_id() == caller ? 0 : 1;
  return pressed.exchange(false); // as a handler that has run once
}

/// As long as it lives, calls are asked to end if `press` says so.
class Watched {
public:
  explicit Watched(bool press) {
    looks = 0;
    looks_elsewhere = 0;
    pressed = press;
    caller = std::this_thread::get_id();
    host::set_interrupt_check(check);
  }
  ~Watched() { host::set_interrupt_check(nullptr); }
  Watched(const Watched &) = delete;
  Watched &operator=(const Watched &) = delete;
};

bool is_interrupted(double seconds, bool threads) {
  try {
    call("spin", {seconds, threads});
    return false;
  } catch (const host::Interrupted &) {
    return true;
  }
}

} // namespace

TEST(an_interrupt_ends_work_of_one_thread_and_of_several) {
  if (!on_the_cpu()) {
    return;
  }
  for (const bool threads : {false, true}) {
    const Watched watched(true);
    const auto start = Clock::now();
    CHECK(is_interrupted(600.0, threads));
    CHECK(Clock::now() - start < std::chrono::seconds(60));
    CHECK(looks == 1 && looks_elsewhere == 0);
    CHECK(!is_interrupted(0.0, threads)); // the next call is another one
  }
}

TEST(the_interpreter_is_not_asked_all_the_time) {
  if (!on_the_cpu()) {
    return;
  }
  for (const bool threads : {false, true}) {
    const Watched watched(false);
    const auto start = Clock::now();
    CHECK(!is_interrupted(0.2, threads));
    CHECK(looks > 0 && looks_elsewhere == 0);
    CHECK(looks <= (Clock::now() - start) / std::chrono::milliseconds(20));
  }
}

TEST(an_interrupted_call_stays_so) {
  const Watched watched(true);
  host::CpuCall call;
  CHECK(call.interrupted(&call) == 0); // it has only begun
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  CHECK(call.interrupted(&call) != 0);
  CHECK(call.interrupted(&call) != 0);
  int runs = 0;
  const auto task = [](void *context, std::int64_t /*i*/) { ++*static_cast<int *>(context); };
  CHECK(call.parallel(&call, 1, task, &runs) != 0);
  CHECK(runs == 0);
}

TEST(without_an_interrupt_every_task_has_run) {
  const Watched watched(false);
  host::CpuCall call;
  std::vector<std::atomic<int>> runs(1000);
  const auto task = [](void *context, std::int64_t i) {
    ++static_cast<std::atomic<int> *>(context)[i];
  };
  CHECK(call.parallel(&call, 1000, task, runs.data()) == 0);
  for (const auto &count : runs) {
    CHECK(count == 1);
  }
}

TEST(pieces_of_scratch_memory_are_apart) {
  host::CpuCall call;
  std::vector<unsigned char *> pieces;
  for (unsigned char i = 0; i < 50; ++i) {
    pieces.push_back(static_cast<unsigned char *>(call.scratch(&call, 1000)));
    std::fill_n(pieces.back(), 1000, i);
  }
  for (unsigned char i = 0; i < 50; ++i) {
    CHECK(pieces[i][0] == i && pieces[i][999] == i);
  }
  CHECK(call.scratch(&call, std::size_t{1} << 62U) == nullptr);
}
