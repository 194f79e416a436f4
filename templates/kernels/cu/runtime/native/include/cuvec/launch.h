// Launches by CUDA's driver, for its runtime takes a twentieth more each time.
#pragma once

#ifdef __CUDACC__
#include <array>
#include <atomic>
#include <cstddef>

#include <cuda_runtime_api.h>

namespace cuvec::driver {

/// cuLaunchKernel; its errors have the numbers of the runtime's.
using Launch = cudaError_t (*)(cudaFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned,
                               unsigned, unsigned, cudaStream_t, void **, void **);

/// Null if the driver is too old.
inline Launch launcher() {
  static const auto found = [] {
    void *function = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    cudaGetDriverEntryPointByVersion("cuLaunchKernel", &function, 12000, cudaEnableDefault,
                                     &result);
#else
    cudaGetDriverEntryPoint("cuLaunchKernel", &function, cudaEnableDefault, &result);
#endif
    return reinterpret_cast<Launch>(function);
  }();
  return found;
}

/// The kernel on that GPU, which is the thread's present one. It is looked up once.
template <auto Kernel> cudaError_t find(int gpu, cudaFunction_t &function) {
  static std::array<std::atomic<cudaFunction_t>, 16> known{};
  const auto place = static_cast<std::size_t>(gpu);
  if (place < known.size()) {
    function = known[place].load(std::memory_order_relaxed);
  }
  if (function != nullptr) {
    return cudaSuccess;
  }
  const auto error = cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(Kernel));
  if (error == cudaSuccess && place < known.size()) {
    known[place].store(function, std::memory_order_relaxed);
  }
  return error;
}

template <auto Kernel>
cudaError_t launch(int gpu, dim3 blocks, dim3 threads, void **parameters, std::size_t shared,
                   cudaStream_t stream) {
  const Launch go = launcher();
  if (go == nullptr) {
    return cudaErrorInsufficientDriver;
  }
  cudaFunction_t function = nullptr;
  const auto error = find<Kernel>(gpu, function);
  return error != cudaSuccess
             ? error
             : go(function, blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z,
                  static_cast<unsigned>(shared), stream, parameters, nullptr);
}

} // namespace cuvec::driver
#endif
