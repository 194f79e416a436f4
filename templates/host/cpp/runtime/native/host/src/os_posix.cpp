#include "os.hpp"

#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>
#include <thread>

#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif

namespace host::os {

namespace {

std::atomic<std::size_t> fork_count{0};

// Only adds to an atomic, which is allowed after a fork.
void count_fork() { fork_count.fetch_add(1, std::memory_order_relaxed); }

/// What a container may use, by its control group of version 2. Elsewhere there is no such file,
/// and without a limit no number in it.
std::size_t memory_of_container() {
  std::ifstream file("/sys/fs/cgroup/memory.max");
  std::size_t bytes = 0;
  return file >> bytes ? bytes : std::numeric_limits<std::size_t>::max();
}

std::size_t memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size)
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
  static const std::size_t bytes = std::min(memory_of_machine(), memory_of_container());
  return bytes;
}

std::size_t forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, count_fork);
  static_cast<void>(registered);
  return fork_count.load(std::memory_order_relaxed);
}

#ifdef __linux__

const bool HAS_PAGE_TABLE = true;

bool is_in_page_table(std::uintptr_t address) {
  static const auto size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char present = 0;
  const int status = mincore(reinterpret_cast<void *>(address / size * size), size, &present);
  return status == 0 && (present & 1U) == 1;
}

void ask_for_huge_pages(std::uintptr_t address, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t start = (address + page - 1) / page * page;
  const std::uintptr_t end = (address + bytes) / page * page;
  static_cast<void>(madvise(reinterpret_cast<void *>(start), end - start, MADV_HUGEPAGE));
}

#else

const bool HAS_PAGE_TABLE = false;

bool is_in_page_table(std::uintptr_t /*address*/) { return false; }

void ask_for_huge_pages(std::uintptr_t /*address*/, std::size_t /*bytes*/) {}

#endif

} // namespace host::os
