#include "gpu.hpp"

#include <cuda_runtime_api.h>

#include "cuda_error.hpp"
#include "current.hpp"

namespace host {

int Gpu::count() {
  int version = 0;
  ignore(cudaDriverGetVersion(&version));
  if (version == 0) {
    throw RuntimeError("no CUDA driver is installed");
  }
  int count = 0;
  if (const auto error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    ignore(error);
    throw RuntimeError("the CUDA driver does not start: " + describe(error));
  }
  if (count == 0) {
    throw RuntimeError("the CUDA driver finds no GPU");
  }
  return count;
}

Gpu::Gpu(int index) : index_(index) {
  const Current previous;
  check(cudaSetDevice(index));
  check(cudaFree(nullptr)); // makes the primary context where cudaSetDevice leaves that for later
  context_ = Current::context(); // NOLINT(*-prefer-member-initializer): there is none before
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index));
  name_ = properties.name;
  memory_ = properties.totalGlobalMem;
  shares_managed_memory_ = properties.concurrentManagedAccess != 0;
}

void Gpu::synchronize() const {
  let_go();
  const Current current(*this);
  check(cudaDeviceSynchronize());
}

} // namespace host
