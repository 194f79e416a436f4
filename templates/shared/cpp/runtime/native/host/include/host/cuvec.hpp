// `CuVec<T>`: a std::vector in memory that the host and the GPU both address.
//
//     host::CuVec<float> x(1000, 1.0F), y(1000);
//     host::assign(host::array(x), host::array(y));
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "array.hpp"
#include "memory.hpp"

namespace host {

/// Lends managed memory until it is given back by its address. Throws `MemoryError`.
void *lend(std::size_t bytes);
void give_back(const void *memory) noexcept;

/// The block that was lent at this address.
std::shared_ptr<Block> lent_block(const void *memory);

/// Allocates managed memory of the pool; without a GPU, plain host memory.
template <typename T> struct Allocator {
  using value_type = T;

  Allocator() = default;
  // implicit, as std::vector wants it
  template <typename U> Allocator(const Allocator<U> & /*other*/) {} // NOLINT(*-explicit-*)

  T *allocate(std::size_t n) {
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T *>(lend(n * sizeof(T)));
  }

  void deallocate(T *memory, std::size_t /*n*/) noexcept { give_back(memory); }
};

template <typename T, typename U>
bool operator==(const Allocator<T> & /*a*/, const Allocator<U> & /*b*/) {
  return true;
}

template <typename T, typename U>
bool operator!=(const Allocator<T> & /*a*/, const Allocator<U> & /*b*/) {
  return false;
}

template <typename T> using CuVec = std::vector<T, Allocator<T>>;

/// The vector as an argument of a function. It must keep its size meanwhile.
template <typename T> Array array(const CuVec<T> &vector, bool writable) {
  Array array;
  array.address = reinterpret_cast<std::uintptr_t>(vector.data());
  array.dtype = dtype_of<T>();
  array.shape = {vector.size()};
  array.writable = writable;
  const auto block = lent_block(vector.data());
  if (block != nullptr && block->gpu()) {
    array.place = block;
  }
  return array;
}

template <typename T> Array array(CuVec<T> &vector) { return array(vector, true); }
template <typename T> Array array(const CuVec<T> &vector) { return array(vector, false); }

} // namespace host
