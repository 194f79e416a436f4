#include "events.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include <host/fork.hpp>

namespace host::events {

namespace {

struct OfGpu {
  std::vector<std::unique_ptr<Event>> free; // with room for all that were made
  std::size_t made = 0;
};

struct Free {
  Free() { hold_at_fork(mutex); }

  std::mutex mutex;
  std::vector<OfGpu> of; // each GPU, by its index
};

Free &all = *new Free; // never destroyed: arrays may outlive it

std::unique_ptr<Event> find(std::size_t gpu) {
  const std::scoped_lock lock(all.mutex);
  if (all.of.size() <= gpu) {
    all.of.resize(gpu + 1);
  }
  auto &[events, made] = all.of[gpu];
  if (events.empty()) {
    events.reserve(++made);
    return nullptr;
  }
  auto event = std::move(events.back());
  events.pop_back();
  return event;
}

} // namespace

std::unique_ptr<Event> take(int gpu) {
  auto event = find(static_cast<std::size_t>(gpu));
  return event != nullptr ? std::move(event) : std::make_unique<Event>();
}

void give_back(int gpu, std::unique_ptr<Event> event) noexcept {
  const std::scoped_lock lock(all.mutex);
  all.of[static_cast<std::size_t>(gpu)].free.push_back(std::move(event)); // there is room
}

} // namespace host::events
