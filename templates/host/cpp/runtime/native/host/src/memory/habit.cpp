#include "habit.hpp"

#include <algorithm>
#include <limits>

namespace host {

void Habit::hint(Side side) {
  *this = Habit();
  side_ = side;
}

std::optional<Side> Habit::give_up() {
  wait_longer();
  calls_ = 0;
  if (side_ == Side::Host) {
    return {};
  }
  return side_ = Side::Host;
}

void Habit::wait_longer() { patience_ = std::min(2 * patience_, LONGEST_PATIENCE); }

std::optional<Side> Habit::call(bool host_used) {
  const std::uint32_t before = host_used ? 0 : calls_;
  if (side_ == Side::Host && before >= patience_) {
    return start(Side::Device);
  }
  if (side_ == Side::Device && host_used) {
    if (calls_ >= PAYING) {
      patience_ = PATIENCE;
      return start(Side::Device);
    }
    wait_longer();
    return start(Side::Host);
  }
  calls_ = before == std::numeric_limits<std::uint32_t>::max() ? before : before + 1;
  return {};
}

Side Habit::start(Side side) {
  calls_ = 1;
  return side_ = side;
}

} // namespace host
