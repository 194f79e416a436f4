// What is opened when it is first used.
#include "opened.hpp"

#include <atomic>
#include <stdexcept>

#include "test.hpp"
#include "threads.hpp"

namespace {

int failures = 0; // that are still to come
std::atomic<int> made{0};

struct Device {
  explicit Device(int number) : index(number) {
    if (failures > 0) {
      --failures;
      throw std::runtime_error("in use");
    }
    ++made;
  }

  int index;
};

} // namespace

TEST(a_failure_to_open_is_not_remembered) {
  failures = 2;
  made = 0;
  static host::Opened<Device> device(7); // what it opens is never destroyed
  CHECK_THROWS(device.get(), std::runtime_error, "in use");
  CHECK_THROWS(device.get(), std::runtime_error, "in use");
  CHECK(device.get().index == 7);
  CHECK(&device.get() == &device.get());
  CHECK(made == 1);
}

TEST(threads_open_it_once) {
  made = 0;
  static host::Opened<Device> device(0);
  std::atomic<const Device *> first{nullptr};
  std::atomic<bool> same{true};
  host::threads::run(100, [&](std::size_t /*i*/) {
    const Device *none = nullptr;
    const Device *mine = &device.get();
    if (!first.compare_exchange_strong(none, mine) && none != mine) {
      same = false;
    }
  });
  CHECK(same);
  CHECK(made == 1);
}
