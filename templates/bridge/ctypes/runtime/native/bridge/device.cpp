// The device that is worked on, and the pool that memory comes from.

#include <cstddef>
#include <string>

#include <host/device.hpp>
#include <host/memory.hpp>

#include "error.hpp"

using core::guarded;

namespace {

void copy(const std::string &text, char *out, std::size_t size) {
  out[text.copy(out, size - 1)] = '\0';
}

} // namespace

core_status core_device(core_device_info *result) {
  return guarded([=] {
    const host::Device device = host::device();
    result->index = device.index.value_or(-1);
    copy(device.kind, result->kind, sizeof(result->kind));
    copy(device.name, result->name, sizeof(result->name));
    copy(device.reason, result->reason, sizeof(result->reason));
  });
}

core_status core_set_device(int64_t index) {
  return guarded([=] { host::set_device(index); });
}

core_status core_synchronize() { return guarded(host::synchronize); }

core_status core_memory_statistics(core_memory *result) {
  return guarded([=] {
    const host::MemoryStatistics statistics = host::memory_statistics();
    *result = {statistics.used, statistics.held};
  });
}

core_status core_empty_cache() { return guarded(host::empty_cache); }
