// A vector of a few items inside of the object itself, as `std::inplace_vector` of C++26: the calls
// of functions are short, and an allocation would be a good part of one.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <utility>

namespace host {

template <typename T, std::size_t Capacity> class InplaceVector {
public:
  InplaceVector() = default;
  InplaceVector(std::initializer_list<T> items) {
    for (const T &item : items) {
      emplace_back(item);
    }
  }
  ~InplaceVector() {
    for (T &item : *this) {
      item.~T();
    }
  }
  InplaceVector(const InplaceVector &other) {
    for (const T &item : other) {
      emplace_back(item);
    }
  }
  InplaceVector &operator=(const InplaceVector &) = delete;

  /// Throws `std::length_error` when there is no place for another.
  template <typename... Arguments> T &emplace_back(Arguments &&...arguments) {
    return emplace_with([&] { return T(std::forward<Arguments>(arguments)...); });
  }

  /// The same for what `make` returns, which is made in its place and not copied.
  template <typename Make> T &emplace_with(const Make &make) {
    if (size_ == Capacity) {
      throw std::length_error("InplaceVector is full");
    }
    T &item = *::new (place(size_)) T(make());
    ++size_;
    return item;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  T *begin() { return item(0); }
  T *end() { return item(size_); }
  const T *begin() const { return item(0); }
  const T *end() const { return item(size_); }

  T &operator[](std::size_t index) { return *item(index); }
  const T &operator[](std::size_t index) const { return *item(index); }

private:
  void *place(std::size_t index) { return memory_.data() + index * sizeof(T); }
  T *item(std::size_t index) { return reinterpret_cast<T *>(memory_.data()) + index; }
  const T *item(std::size_t index) const {
    return reinterpret_cast<const T *>(memory_.data()) + index;
  }

  std::size_t size_ = 0; // beside the first items: there may be few of many
  alignas(T) std::array<std::byte, Capacity * sizeof(T)> memory_; // not filled with zeros
};

} // namespace host
