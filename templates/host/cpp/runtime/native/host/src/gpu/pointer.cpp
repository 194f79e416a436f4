#include <sstream>

#include "current.hpp"
#include "driver.hpp"
#include "gpu.hpp"

namespace host {

namespace {

/// Asks the driver, which looks the address up and does not follow it. `value` must be of the type
/// that its documentation gives for the attribute.
template <typename T> bool get(CUpointer_attribute attribute, std::uintptr_t address, T &value) {
  return Driver::get().get_pointer_attribute(&value, attribute, address) == CUDA_SUCCESS;
}

/// The end of the range of memory that holds an address; the address itself when none does.
std::uintptr_t end_of_range(std::uintptr_t address) {
  CUdeviceptr start = 0;
  std::size_t size = 0;
  const bool known = get(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address, start) &&
                     get(CU_POINTER_ATTRIBUTE_RANGE_SIZE, address, size);
  return known && start + size > address ? start + size : address;
}

std::string hex(std::uintptr_t address) {
  std::ostringstream text;
  text << "0x" << std::hex << address;
  return text.str();
}

} // namespace

int Gpu::locate(std::uintptr_t address, std::size_t bytes) const {
  const Current current(*this);
  int gpu = 0;
  if (!get(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address, gpu)) {
    throw ValueError(hex(address) + " is not an address of GPU memory");
  }
  // Memory that was mapped piece by piece is several ranges in a row.
  std::uintptr_t reached = address;
  while (reached - address < bytes) {
    const std::uintptr_t next = end_of_range(reached);
    if (next == reached) {
      throw ValueError("the array claims " + std::to_string(bytes) + " bytes at " + hex(address) +
                       ", but only " + std::to_string(reached - address) +
                       " of them are GPU memory");
    }
    reached = next;
  }
  if (gpu < 0) {
    throw ValueError(hex(address) + " belongs to no GPU");
  }
  return gpu;
}

} // namespace host
