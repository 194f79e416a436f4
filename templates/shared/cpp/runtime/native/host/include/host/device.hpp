// Which device the package works on, and why.
//
// `CUVEC_DEVICE` decides when the first array is made or the first function is called: `auto`
// (the GPU if there is one), `cuda` (an error if there is none) or `cpu`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace host {

struct Device {
  std::string kind;         ///< `cuda` or `cpu`
  std::optional<int> index; ///< of the GPU
  std::string name;         ///< what the hardware is called
  std::string reason;       ///< why this kind of device is used
};

/// The calling thread's current device.
Device device();

/// Makes the GPU of this index the calling thread's current one. Throws `ValueError` when there
/// is none.
void set_device(std::ptrdiff_t index);

/// Waits until the current GPU has finished everything.
void synchronize();

} // namespace host
