#include "habit.hpp"

#include <algorithm>
#include <limits>

namespace host {

void Habit::hint(Side side) {
  *this = Habit();
  side_ = side;
}

std::optional<Side> Habit::call(bool host_used) {
  if (host_used) {
    calls_ = 0;
  }
  calls_ += calls_ == std::numeric_limits<std::uint32_t>::max() ? 0 : 1;
  if (side_ == Side::Host) {
    if (calls_ <= patience_) {
      return {};
    }
    calls_ = 0;
    return side_ = Side::Device;
  }
  if (host_used) {
    patience_ = std::min(2 * patience_, LONGEST_PATIENCE);
    return side_ = Side::Host;
  }
  if (calls_ > TRUSTED) {
    patience_ = PATIENCE;
  }
  return {};
}

} // namespace host
