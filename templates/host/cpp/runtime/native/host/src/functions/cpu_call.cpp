#include "cpu_call.hpp"

#include <atomic>
#include <new>
#include <thread>

#include <host/functions.hpp>

#include "../threads.hpp"

namespace host {

namespace {

/// How often Ctrl-C is looked for: nobody notices so short a time, and a look takes the
/// interpreter's lock.
constexpr std::chrono::milliseconds INTERVAL{20};

std::atomic<bool (*)()> interrupt_check{nullptr};

} // namespace

void set_interrupt_check(bool (*check)()) {
  interrupt_check.store(check, std::memory_order_release);
}

CpuCall::CpuCall() : next_look_(Clock::now() + INTERVAL) {
  stream = nullptr;
  gpu = 0;
  scratch = take;
  parallel = run;
  interrupted = ask;
  error[0] = '\0'; // the rest is not filled: it is most of the object
}

void *CpuCall::take(cuvec_call *call, std::size_t bytes) noexcept {
  try {
    auto &mine = static_cast<CpuCall *>(call)->scratch_;
    return mine.emplace_back(new (std::nothrow) std::byte[bytes]).get();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

int CpuCall::run(cuvec_call *call, std::int64_t tasks, void (*task)(void *, std::int64_t),
                 void *context) {
  auto &self = *static_cast<CpuCall *>(call);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> ended{false};
  threads::run(static_cast<std::size_t>(tasks), [&](std::size_t i) {
    if (ended.load(std::memory_order_relaxed)) {
      return;
    }
    if (std::this_thread::get_id() == caller && self.is_interrupted()) {
      ended.store(true, std::memory_order_relaxed);
      return;
    }
    task(context, static_cast<std::int64_t>(i));
  });
  return static_cast<int>(ended.load());
}

int CpuCall::ask(cuvec_call *call) {
  return static_cast<int>(static_cast<CpuCall *>(call)->is_interrupted());
}

/// Only on the thread of the call. Once it is, it stays so: the exception is set, and whoever
/// asks again must not take it for gone.
bool CpuCall::is_interrupted() {
  if (interrupted_ || Clock::now() < next_look_) {
    return interrupted_;
  }
  next_look_ = Clock::now() + INTERVAL;
  const auto check = interrupt_check.load(std::memory_order_acquire);
  interrupted_ = check != nullptr && check();
  return interrupted_;
}

} // namespace host
