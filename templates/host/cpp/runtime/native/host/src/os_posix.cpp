#include "os.hpp"

#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <limits>
#include <thread>
#include <utility>

#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <host/fork.hpp>

#include "cgroup.hpp"

namespace host::os {

namespace {

std::atomic<std::size_t> fork_count{0};

/// Those of `hold_at_fork`, of which there are a few in the library.
std::array<std::atomic<std::mutex *>, 8> held_mutexes{};

/// How many of them are locked for the fork that is under way.
std::size_t locked = 0;

void lock_all() {
  std::mutex *mutex = nullptr;
  for (std::size_t i = 0; i < held_mutexes.size() && (mutex = held_mutexes[i]) != nullptr; ++i) {
    mutex->lock();
    locked = i + 1;
  }
}

void unlock_all() {
  for (std::size_t count = std::exchange(locked, 0); count > 0; --count) {
    held_mutexes[count - 1].load()->unlock();
  }
}

// Only adds to an atomic and unlocks, which is allowed after a fork.
void begin_child() {
  fork_count.fetch_add(1, std::memory_order_relaxed);
  unlock_all();
}

/// When the library is loaded, so that no thread can be in the middle of it when another one forks.
const int registered = pthread_atfork(lock_all, unlock_all, begin_child);

std::size_t memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? static_cast<std::size_t>(pages) * page()
                   : std::numeric_limits<std::size_t>::max();
}

} // namespace

std::string machine() {
  utsname names{};
  return uname(&names) == 0 ? names.machine : "unknown";
}

std::size_t processors() {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    return static_cast<std::size_t>(CPU_COUNT(&allowed));
  }
#endif
  return std::thread::hardware_concurrency();
}

std::size_t memory() {
  // no `static const`: a child could inherit one that is being made
  static std::atomic<std::size_t> known{0};
  std::size_t bytes = known.load(std::memory_order_relaxed);
  if (bytes == 0) {
    bytes = std::min(memory_of_machine(), memory_of_container());
    known.store(bytes, std::memory_order_relaxed);
  }
  return bytes;
}

std::size_t forks() {
  static_cast<void>(registered); // keeps it
  return fork_count.load(std::memory_order_relaxed);
}

std::size_t page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

#ifdef __linux__

const bool HAS_PAGE_TABLE = true;

bool is_in_page_table(std::uintptr_t number) {
  unsigned char present = 0;
  const int status = mincore(reinterpret_cast<void *>(number * page()), page(), &present);
  return status == 0 && (present & 1U) == 1;
}

void ask_for_huge_pages(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t start = (address + page() - 1) / page() * page();
  const std::uintptr_t end = (address + bytes) / page() * page();
  static_cast<void>(madvise(reinterpret_cast<void *>(start), end - start, MADV_HUGEPAGE));
}

#else

const bool HAS_PAGE_TABLE = false;

bool is_in_page_table(std::uintptr_t /*number*/) { return false; }

void ask_for_huge_pages(std::uintptr_t /*address*/, std::size_t /*bytes*/) {}

#endif

} // namespace host::os

void host::hold_at_fork(std::mutex &mutex) {
  for (auto &place : os::held_mutexes) {
    std::mutex *none = nullptr;
    if (place.compare_exchange_strong(none, &mutex)) {
      return;
    }
  }
  std::terminate(); // when the library is loaded: there must be a place for each
}
