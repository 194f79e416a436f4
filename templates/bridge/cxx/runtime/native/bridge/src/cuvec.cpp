// The memory of vectors: Rust allocates it, and finds it again by its address.

#include <host/cuvec.hpp>

#include "rust.hpp"

namespace host {

void *lend(std::size_t bytes) {
  return checked([&] { return rs::allocate_vector(bytes); });
}

void give_back(const void *memory) noexcept {
  rs::deallocate_vector(static_cast<const std::uint8_t *>(memory));
}

std::shared_ptr<Block> lent_block(const void *memory) {
  if (memory == nullptr) {
    return nullptr; // an empty vector
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return to_block(checked([&] { return rs::block_of_vector(address); }));
}

} // namespace host
