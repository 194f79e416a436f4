// Memory that outlives a call: what an object of a class works with.
#pragma once

#include <utility>

#include "view.h"

namespace cuvec {

/// Memory of the GPU, or of the CPU for an object that lives there, until it is destroyed:
/// `call.buffer<float>(m, n)` makes one. It moves, and is not copied.
template <class T, int Rank = 1> class Buffer {
public:
  Buffer() = default;
  /// Made by `call.buffer`.
  Buffer(Out<T, Rank> view, void *owner, void (*release)(void *))
      : view_(view), owner_(owner), release_(release) {}
  Buffer(Buffer &&other) noexcept { swap(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() {
    if (owner_ != nullptr) {
      release_(owner_);
    }
  }

  /// Its elements, for kernels and on the CPU for loops.
  Out<T, Rank> view() { return view_; }
  In<T, Rank> view() const { return view_; }

private:
  void swap(Buffer &other) {
    std::swap(view_, other.view_);
    std::swap(owner_, other.owner_);
    std::swap(release_, other.release_);
  }

  Out<T, Rank> view_{};
  void *owner_ = nullptr;
  void (*release_)(void *) = nullptr;
};

} // namespace cuvec
