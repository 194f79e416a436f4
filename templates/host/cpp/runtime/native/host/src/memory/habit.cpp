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

std::optional<Side> Habit::call(Weight weight, bool host_used) {
  const bool asked = asks();
  last_ = static_cast<std::uint32_t>(weight);
  unseen_ = asked ? 0 : unseen_ + last_;
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
  calls_ = std::min(before, std::numeric_limits<std::uint32_t>::max() - last_) + last_;
  return {};
}

Side Habit::start(Side side) {
  calls_ = last_;
  return side_ = side;
}

} // namespace host
