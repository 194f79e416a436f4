#include <host/interop.hpp>

#include <string>

#include <host/error.hpp>

#include "device.hpp"

namespace host {

int locate(std::uintptr_t address, std::size_t bytes) {
  const Gpu *gpu = current_gpu();
  if (gpu == nullptr) {
    throw no_gpu_to_read_with();
  }
  return gpu->locate(address, bytes);
}

Mark mark(int gpu, Stream stream) {
  const Gpu &on = gpu_at(gpu);
  if (const auto life = on.life_of_recording(stream)) {
    return {{life->number()}, [life = *life] { return life.is_over(); }};
  }
  return {stream, [done = on.mark(stream)] {
            try {
              return done();
            } catch (const RuntimeError &) {
              return true;
            }
          }};
}

void refuse_beside(std::optional<int> gpu, const CurrentStream &current_stream) {
  if (const Gpu *on = gpu ? &gpu_at(*gpu) : current_gpu()) {
    on->refuse_beside(current_stream);
  }
}

namespace {

constexpr std::int32_t CPU = 1;
constexpr std::int32_t CUDA = 2;
constexpr std::int32_t CUDA_HOST = 3;
constexpr std::int32_t CUDA_MANAGED = 13;

/// The GPU that addresses memory of this device, null for memory of the host.
const Gpu *gpu_of(dlpack::Device device) {
  switch (device.type) {
  case CPU:
    return nullptr;
  case CUDA:
  case CUDA_HOST:
  case CUDA_MANAGED:
    if (has_gpus()) {
      return &gpu_at(device.index);
    }
    if (device.type == CUDA) {
      throw no_gpu_to_read_with();
    }
    return nullptr;
  default:
    throw ValueError("the array is on a device that is neither a CPU nor a CUDA GPU (DLPack type " +
                     std::to_string(device.type) + ")");
  }
}

} // namespace

std::optional<Stream> dlpack::consumer_stream(Device device) {
  const Gpu *gpu = gpu_of(device);
  return gpu == nullptr ? std::nullopt : std::optional(gpu->thread_stream());
}

bool dlpack::is_for_gpu(Device device) { return gpu_of(device) != nullptr; }

} // namespace host
