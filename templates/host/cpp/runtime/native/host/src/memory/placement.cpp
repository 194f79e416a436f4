#include "placement.hpp"

#include <utility>

namespace host {

namespace {

Habit::Weight weight(std::size_t bytes, bool with_large) {
  if (bytes >= LARGE_TO_MOVE) {
    return Habit::Weight::Large;
  }
  return with_large ? Habit::Weight::BesideLarge : Habit::Weight::Small;
}

} // namespace

void Placement::before_call(const Array &array, bool with_large, const Gpu &gpu, Stream stream) {
  const std::size_t bytes = array.bytes();
  const std::scoped_lock lock(mutex_);
  const Habit before = habit_;
  auto side = habit_.call(weight(bytes, with_large), was_used_by_host(array));
  if (!side) {
    return;
  }
  if (gpu.is_recording(stream)) {
    habit_ = before;
    return;
  }
  if (side == Side::Device && !gpu.has_room(bytes)) {
    habit_ = before;
    side = habit_.give_up();
  }
  if (side) {
    move(*side, array.address, bytes, gpu, stream);
  }
}

/// Whether the host is seen to have used the array since the last call, if this one asks.
bool Placement::was_used_by_host(const Array &array) {
  if (!habit_.asks()) {
    left_.reset();
    return false;
  }
  const auto left = std::exchange(left_, std::nullopt);
  if (!is_moved()) {
    return left && *left != take_sample(array.address, array.bytes());
  }
  if (has_arrived_ && !has_arrived_()) {
    return false; // its pages are still where the host had them
  }
  has_arrived_ = nullptr;
  return host_touched(array.address, array.bytes());
}

void Placement::after_end(const Array &array) {
  const std::scoped_lock lock(mutex_);
  has_arrived_ = nullptr;
  if (!is_moved() && habit_.asks()) {
    left_ = take_sample(array.address, array.bytes());
  }
}

void Placement::prefetch(Side side, std::uintptr_t address, std::size_t bytes, const Gpu &gpu,
                         Stream stream) {
  const std::scoped_lock lock(mutex_);
  habit_.hint(side);
  left_.reset();
  move(side, address, bytes, gpu, stream);
}

void Placement::move(Side side, std::uintptr_t address, std::size_t bytes, const Gpu &gpu,
                     Stream stream) {
  gpu.move(side, address, bytes, stream);
  has_arrived_ = side == Side::Device ? gpu.mark(stream) : nullptr;
}

} // namespace host
