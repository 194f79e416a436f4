#include "source.hpp"

#include <limits>
#include <new>

#include "../device.hpp"
#include "../os.hpp"

namespace host {

namespace {

/// Alignment of plain host memory, in bytes: a cache line. CUDA's memory has more.
constexpr std::align_val_t ALIGNMENT{64};

/// Bytes from which on huge pages are worth it: two of the usual ones are in them wherever they
/// start. NumPy asks for them too.
constexpr std::size_t HUGE_PAGES = std::size_t{4} << 20U;

void *ask_host_for(std::size_t bytes) {
  void *memory = ::operator new(bytes, ALIGNMENT, std::nothrow);
  if (memory != nullptr && bytes >= HUGE_PAGES) {
    os::ask_for_huge_pages(reinterpret_cast<std::uintptr_t>(memory), bytes);
  }
  return memory;
}

} // namespace

std::optional<int> Source::gpu() const {
  return kind == Kind::Host ? std::nullopt : std::optional(index);
}

const char *Source::name() const {
  switch (kind) {
  case Kind::Host:
    return "host";
  case Kind::Managed:
    return "managed";
  case Kind::Pinned:
    return "pinned";
  case Kind::Device:
    return "GPU";
  }
  return "";
}

std::uintptr_t Source::allocate(std::size_t bytes) const {
  return bytes > limit() ? 0 : reinterpret_cast<std::uintptr_t>(ask_for(bytes));
}

void *Source::ask_for(std::size_t bytes) const {
  switch (kind) {
  case Kind::Host:
    return ask_host_for(bytes);
  case Kind::Managed:
    return gpu_at(index).allocate_managed(bytes);
  case Kind::Pinned:
    return gpu_at(index).allocate_pinned(bytes);
  case Kind::Device:
    return gpu_at(index).allocate_device(bytes);
  }
  return nullptr;
}

void Source::free(std::uintptr_t address) const {
  auto *memory = reinterpret_cast<void *>(address);
  switch (kind) {
  case Kind::Host:
    ::operator delete(memory, ALIGNMENT);
    break;
  case Kind::Managed:
  case Kind::Device:
    gpu_at(index).free(memory);
    break;
  case Kind::Pinned:
    gpu_at(index).free_pinned(memory);
    break;
  }
}

std::size_t Source::limit() const {
  const std::size_t host = os::memory();
  if (kind == Kind::Device) {
    return gpu_at(index).memory();
  }
  const std::size_t beside = kind == Kind::Managed ? gpu_at(index).memory() : 0;
  return host > std::numeric_limits<std::size_t>::max() - beside ? host : host + beside;
}

} // namespace host
