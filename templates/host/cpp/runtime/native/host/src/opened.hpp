// What is opened when it is first used.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace host {

/// A `T` of an index, such as a GPU.
template <typename T> class Opened {
public:
  explicit Opened(int index) : index_(index) {}

  /// Throws what keeps it from being opened now; the next call tries again.
  const T &get() {
    if (const T *opened = opened_.load(std::memory_order_acquire)) {
      return *opened;
    }
    const std::scoped_lock lock(opening_);
    if (opened_ == nullptr) {
      opened_.store(std::make_unique<T>(index_).release(), std::memory_order_release);
    }
    return *opened_;
  }

private:
  int index_;
  std::mutex opening_;
  std::atomic<const T *> opened_{nullptr}; // never destroyed: arrays may outlive it
};

} // namespace host
