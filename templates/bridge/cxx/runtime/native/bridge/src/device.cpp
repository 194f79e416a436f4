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

std::function<bool()> mark(int gpu, Stream stream) {
  auto made = checked([&] { return rs::mark(gpu, to_rust(stream)); });
  const auto shared = std::make_shared<rust::Box<rs::Mark>>(std::move(made));
  return [shared] { return (*shared)->has_passed(); };
}

std::optional<Stream> dlpack::consumer_stream(Device device) {
  const rs::Stream stream = checked([&] { return rs::consumer_stream(device.type, device.index); });
  return stream.given ? std::optional(Stream{stream.handle}) : std::nullopt;
}

} // namespace host
