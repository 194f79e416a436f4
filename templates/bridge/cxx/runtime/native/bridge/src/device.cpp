// The device that is worked on, and what belongs to the GPU.

#include <host/device.hpp>
#include <host/interop.hpp>

#include "rust.hpp"

namespace host {

Device device() {
  const rs::Device device = checked([] { return rs::device(); });
  return {device.gpu < 0 ? "cpu" : "cuda", index_of(device.gpu), std::string(device.name),
          std::string(device.reason)};
}

void set_device(std::ptrdiff_t index) {
  checked([&] { rs::set_device(index); });
}

void synchronize() {
  checked([] { rs::synchronize(); });
}

int locate(std::uintptr_t address, std::size_t bytes) {
  return checked([&] { return rs::locate(address, bytes); });
}

Mark mark(int gpu, Stream stream) {
  auto made = checked([&] { return rs::mark(gpu, to_rust(stream)); });
  const auto shared = std::make_shared<rust::Box<rs::Mark>>(std::move(made));
  return {{(*shared)->order()}, [shared] { return (*shared)->has_passed(); }};
}

void refuse_beside(std::optional<int> gpu, const CurrentStream &current_stream) {
  const int index = checked([&] { return rs::gpu_or_current(gpu.value_or(-1)); });
  if (index < 0) {
    return;
  }
  const auto entered = checked([&] { return rs::enter(index); });
  if (const auto stream = current_stream(index)) {
    checked([&] { rs::refuse_beside(index, stream->handle); });
  }
}

std::optional<Stream> dlpack::consumer_stream(Device device) {
  const rs::Stream stream = checked([&] { return rs::consumer_stream(device.type, device.index); });
  return stream.given ? std::optional(Stream{stream.handle}) : std::nullopt;
}

bool dlpack::is_for_gpu(Device device) {
  return rs::is_of_known_gpu(device.type, device.index) || // as nearly always
         checked([&] { return rs::is_for_gpu(device.type, device.index); });
}

} // namespace host
