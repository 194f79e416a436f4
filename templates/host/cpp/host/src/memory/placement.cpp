#include "placement.hpp"

namespace host {

void Placement::before_call(const Array &array, const Gpu &gpu, Stream stream) {
  const std::size_t bytes = array.bytes();
  const std::scoped_lock lock(mutex_);
  const bool host_used = is_moved() ? host_touched(array.address, bytes)
                                    : left_ && *left_ != take_sample(array.address, bytes);
  const Side now = habit_.side();
  const auto side = habit_.call(host_used);
  if (!side) {
    return;
  }
  if (*side == Side::Device && (!gpu.has_room(bytes) || gpu.is_recording(stream))) {
    habit_.hint(now);
    return;
  }
  gpu.move(*side, array.address, bytes, stream);
}

void Placement::after_call(const Array &array, bool ended) {
  const std::scoped_lock lock(mutex_);
  left_.reset();
  if (ended && !is_moved()) {
    left_ = take_sample(array.address, array.bytes());
  }
}

void Placement::prefetch(Side side, std::uintptr_t address, std::size_t bytes, const Gpu &gpu,
                         Stream stream) {
  const std::scoped_lock lock(mutex_);
  habit_.hint(side);
  left_.reset();
  gpu.move(side, address, bytes, stream);
}

} // namespace host
