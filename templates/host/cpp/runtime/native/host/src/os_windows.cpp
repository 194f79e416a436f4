#include "os.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <limits>
#include <thread>

#include <host/fork.hpp>

namespace host::os {

std::string machine() {
  SYSTEM_INFO info{};
  GetNativeSystemInfo(&info);
  return info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64 ? "aarch64" : "x86_64";
}

std::size_t processors() { return std::thread::hardware_concurrency(); }

std::size_t memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return GlobalMemoryStatusEx(&status) != 0 ? static_cast<std::size_t>(status.ullTotalPhys)
                                            : std::numeric_limits<std::size_t>::max();
}

std::size_t forks() { return 0; } // there is no fork

const bool HAS_PAGE_TABLE = false;

std::size_t page() { return 4096; } // of all processors that it is for

bool is_in_page_table(std::uintptr_t /*number*/) { return false; }

void ask_for_huge_pages(std::uintptr_t /*address*/, std::size_t /*bytes*/) {
} // they take a privilege

} // namespace host::os

void host::hold_at_fork(std::mutex & /*mutex*/) {}
