// The device that is worked on, and the pool that arrays take their memory from.

#include <tuple>
#include <utility>

#include <host/device.hpp>
#include <host/memory.hpp>
#include <pybind11/stl.h>

#include "module.hpp"

using namespace pybind11::literals;

namespace {

auto device() {
  host::Device device = host::device(); // the first call starts CUDA
  return std::tuple(std::move(device.kind), device.index, std::move(device.name),
                    std::move(device.reason));
}

auto memory_stats() {
  const host::MemoryStatistics statistics = host::memory_statistics();
  return std::pair(statistics.used, statistics.held);
}

} // namespace

void add_device(py::module_ &module) {
  module.def("device", &device, Unlocked(),
             R"(The device that is worked on: kind ("cuda" or "cpu"), index, name and why.)");
  module.def("dev_set", &host::set_device, "index"_a, Unlocked(),
             "Make GPU `index` the one that this thread allocates and works on.");
  module.def("dev_sync", &host::synchronize, Unlocked(),
             "Wait until the current GPU has finished everything.");
  module.def("memory_stats", &memory_stats, Unlocked(),
             "Bytes in arrays, and bytes held by the pool: in arrays or ready for new ones.");
  module.def("empty_cache", &host::empty_cache, Unlocked(),
             "Give all memory that no array uses back to the system.");
}
