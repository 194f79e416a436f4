#include "run.hpp"

#include <chrono>
#include <thread>

namespace python {

void stay() noexcept {
  for (;;) {
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

} // namespace python
