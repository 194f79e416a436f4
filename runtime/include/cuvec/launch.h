// Launches by CUDA's driver, for its runtime takes a twentieth more each time.
#pragma once

#ifdef __CUDACC__
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace cuvec::detail::driver {

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

/// The parameters of a kernel as it has them in its memory: one behind the other, each at a
/// multiple of its alignment. The driver copies them at once, which takes less than one by one.
template <class... P> class Parameters {
public:
  /// The memory of parameters begins at a multiple of 16 bytes, from which compilers count greater
  /// alignments, such as a tensor map's, in ways of their own.
  static constexpr bool are_packed = ((alignof(P) <= 16) && ...);

  explicit Parameters(const P &...parameters) {
    std::size_t place = 0;
    (std::memcpy(bytes_ + LAYOUT.offsets[place++], &parameters, sizeof(P)), ...);
  }

  unsigned char *bytes() { return bytes_; }
  std::size_t size() const { return LAYOUT.size; }

private:
  struct Layout {
    std::size_t offsets[sizeof...(P) + 1] = {};
    std::size_t size = 0;

    constexpr Layout() {
      std::size_t place = 0;
      (add(place++, sizeof(P), alignof(P)), ...);
    }
    constexpr void add(std::size_t place, std::size_t bytes, std::size_t alignment) {
      offsets[place] = (size + alignment - 1) / alignment * alignment;
      size = offsets[place] + bytes;
    }
  };
  static constexpr Layout LAYOUT{};

  alignas(P...) unsigned char bytes_[LAYOUT.size + 1];
};

template <auto Kernel, class... P>
cudaError_t launch(int gpu, dim3 blocks, dim3 threads, Parameters<P...> parameters,
                   std::size_t shared, cudaStream_t stream) {
  const Launch go = launcher();
  if (go == nullptr) {
    return cudaErrorInsufficientDriver;
  }
  cudaFunction_t function = nullptr;
  const auto error = find<Kernel>(gpu, function);
  if (error != cudaSuccess) {
    return error;
  }
  std::size_t size = parameters.size();
  void *buffer[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parameters.bytes(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                    &size, CU_LAUNCH_PARAM_END};
  return go(function, blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z,
            static_cast<unsigned>(shared), stream, nullptr, size == 0 ? nullptr : buffer);
}

} // namespace cuvec::detail::driver
#endif
