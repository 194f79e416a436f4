#include "cpu_call.hpp"

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include <host/functions.hpp>

#include "../threads.hpp"

namespace host {

namespace {

using Clock = std::chrono::steady_clock;

/// How often Ctrl-C is looked for: nobody notices so short a time, and it costs nothing measurable.
constexpr std::chrono::milliseconds INTERVAL{20};

std::atomic<bool (*)()> interrupt_check{nullptr};

bool is_interrupted() {
  const auto check = interrupt_check.load(std::memory_order_acquire);
  return check != nullptr && check();
}

int interrupted(cuvec_call * /*call*/) { return static_cast<int>(is_interrupted()); }

int parallel(cuvec_call * /*call*/, std::int64_t tasks, void (*task)(void *, std::int64_t),
             void *context) {
  const auto caller = std::this_thread::get_id();
  auto next = Clock::now() + INTERVAL;
  std::atomic<bool> ended{false};
  threads::run(static_cast<std::size_t>(tasks), [&](std::size_t i) {
    if (ended.load(std::memory_order_relaxed)) {
      return;
    }
    if (std::this_thread::get_id() == caller && Clock::now() > next) {
      next = Clock::now() + INTERVAL;
      if (is_interrupted()) {
        ended.store(true, std::memory_order_relaxed);
        return;
      }
    }
    task(context, static_cast<std::int64_t>(i));
  });
  return static_cast<int>(ended.load());
}

} // namespace

void set_interrupt_check(bool (*check)()) {
  interrupt_check.store(check, std::memory_order_release);
}

CpuCall::CpuCall() : cuvec_call{} {
  this->scratch = take;
  this->parallel = host::parallel;
  this->interrupted = host::interrupted;
}

void *CpuCall::take(cuvec_call *call, std::size_t bytes) noexcept {
  try {
    auto &mine = static_cast<CpuCall *>(call)->scratch_;
    return mine.emplace_back(new std::byte[bytes]).get();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

} // namespace host
