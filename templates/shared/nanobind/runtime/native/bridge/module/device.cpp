// The device that is worked on, and the pool that arrays take their memory from.

#include <host/device.hpp>
#include <host/memory.hpp>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "../python/unlocked.hpp"
#include "module.hpp"

using namespace nb::literals;

namespace {

nb::tuple device() {
  const host::Device device = [] {
    const python::Unlocked unlocked; // the first call starts CUDA
    return host::device();
  }();
  return nb::make_tuple(device.kind, device.index, device.name, device.reason);
}

nb::tuple memory_stats() {
  const host::MemoryStatistics statistics = host::memory_statistics();
  return nb::make_tuple(statistics.used, statistics.held);
}

} // namespace

void add_device(nb::module_ &module) {
  using Unlocked = nb::call_guard<python::Unlocked>;
  module.def("device", &device,
             "The device that is worked on: kind (\"cuda\" or \"cpu\"), index, name and why.");
  module.def("dev_set", &host::set_device, "index"_a, Unlocked(),
             "Make GPU `index` the one that this thread allocates and works on.");
  module.def("dev_sync", &host::synchronize, Unlocked(),
             "Wait until the current GPU has finished everything.");
  module.def("memory_stats", &memory_stats,
             "Bytes in arrays, and bytes held by the pool: in arrays or ready for new ones.");
  module.def("empty_cache", &host::empty_cache, Unlocked(),
             "Give all memory that no array uses back to the system.");
}
