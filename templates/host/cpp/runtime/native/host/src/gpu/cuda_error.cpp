#include "cuda_error.hpp"

#include <host/error.hpp>

#include "driver.hpp"

namespace host {

std::string describe(cudaError_t error) {
  // The runtime's errors have the driver's numbers, but names of their own.
  const auto number = static_cast<CUresult>(error);
  const char *name = nullptr;
  const char *text = nullptr;
  if (const Driver *driver = Driver::find();
      driver == nullptr || driver->get_error_name(number, &name) != CUDA_SUCCESS ||
      driver->get_error_string(number, &text) != CUDA_SUCCESS) {
    name = cudaGetErrorName(error);
    text = cudaGetErrorString(error);
  }
  return std::string(name) + ": " + text;
}

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError()); // or the next launch would seem to have failed
    throw RuntimeError(describe(error));
  }
}

} // namespace host
