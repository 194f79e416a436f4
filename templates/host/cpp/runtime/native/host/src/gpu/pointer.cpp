#include <array>
#include <sstream>

#include "current.hpp"
#include "driver.hpp"
#include "gpu.hpp"

namespace host {

namespace {

/// What the driver knows about an address.
struct Range {
  int gpu = -1;          ///< negative when it belongs to none
  CUdeviceptr start = 0; ///< of the memory that was allocated together
  std::size_t size = 0;  ///< start and size are 0 when the driver knows no such memory

  std::uintptr_t end() const { return static_cast<std::uintptr_t>(start) + size; }
};

/// Asks all at once: a call on another library's array waits for it. The driver looks the address
/// up and does not follow it.
Range range_of(std::uintptr_t address) {
  Range range;
  std::array attributes{CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                        CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  std::array<void *, attributes.size()> values{&range.gpu, &range.start, &range.size};
  check(Driver::get().get_pointer_attributes(attributes.size(), attributes.data(), values.data(),
                                             address));
  return range;
}

std::string hex(std::uintptr_t address) {
  std::ostringstream text;
  text << "0x" << std::hex << address;
  return text.str();
}

} // namespace

int Gpu::locate(std::uintptr_t address, std::size_t bytes) const {
  const Current current(*this);
  Range range = range_of(address);
  if (range.end() <= address) {
    throw ValueError(hex(address) + " is not an address of GPU memory");
  }
  if (range.gpu < 0) {
    throw ValueError(hex(address) + " belongs to no GPU");
  }
  const int gpu = range.gpu;
  // Memory that was mapped piece by piece is several ranges in a row.
  while (range.end() - address < bytes) {
    const std::uintptr_t reached = range.end();
    range = range_of(reached);
    if (range.end() <= reached) {
      throw ValueError("the array claims " + std::to_string(bytes) + " bytes at " + hex(address) +
                       ", but only " + std::to_string(reached - address) +
                       " of them are GPU memory");
    }
  }
  return gpu;
}

} // namespace host
