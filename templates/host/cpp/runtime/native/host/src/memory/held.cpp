#include "held.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include <host/fork.hpp>

namespace host {

namespace {

using Shared = std::shared_ptr<std::atomic<bool>>;

struct Held {
  Life life;
  Blocks blocks;
};

/// What is held, behind a lock that nobody has while another thread forks.
struct All {
  All() { hold_at_fork(mutex); }

  std::mutex mutex;
  std::vector<Held> held;
  std::atomic<bool> ended{false}; // mostly nothing has, and nobody takes the lock
};

/// Never destroyed, because graphs may outlive it.
All &all = *new All;

} // namespace

void *Life::share() const { return new Shared(over_); }

void Life::end(void *share) {
  const std::unique_ptr<Shared> over(static_cast<Shared *>(share));
  (*over)->store(true, std::memory_order_release);
  all.ended.store(true, std::memory_order_release);
}

void hold(Life life, Blocks blocks) {
  const std::scoped_lock lock(all.mutex);
  all.held.push_back({std::move(life), std::move(blocks)});
}

void let_go() {
  if (!all.ended.load(std::memory_order_relaxed) ||
      !all.ended.exchange(false, std::memory_order_acq_rel)) {
    return;
  }
  std::vector<Held> gone; // freed without the lock: that takes others
  const std::scoped_lock lock(all.mutex);
  const auto first = std::partition(all.held.begin(), all.held.end(),
                                    [](const Held &held) { return !held.life.is_over(); });
  std::move(first, all.held.end(), std::back_inserter(gone));
  all.held.erase(first, all.held.end());
}

} // namespace host
