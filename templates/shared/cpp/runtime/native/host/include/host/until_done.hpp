// Things that are kept until work on streams has been done.
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

#include "stream.hpp"

namespace host {

/// Things, each with a function that says whether the work before it on its stream has been done.
template <typename T> class UntilDone {
public:
  void add(Stream stream, std::function<bool()> done, T thing) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(queues_.begin(), queues_.end(),
                                    [&](const Queue &queue) { return queue.stream == stream; });
    Queue &queue = found == queues_.end() ? queues_.emplace_back(Queue{stream, {}}) : *found;
    queue.waiting.push_back({std::move(done), std::move(thing)});
    any_ = true;
  }

  /// Takes out what has been waited for long enough. Of each stream, what comes first is done
  /// first: no more than one of them is asked in vain.
  std::vector<T> take() {
    std::vector<T> taken;
    if (!any_) {
      return taken;
    }
    const std::scoped_lock lock(mutex_);
    for (Queue &queue : queues_) {
      while (!queue.waiting.empty() && queue.waiting.front().done()) {
        taken.push_back(std::move(queue.waiting.front().thing));
        queue.waiting.pop_front();
      }
    }
    queues_.remove_if([](const Queue &queue) { return queue.waiting.empty(); });
    any_ = !queues_.empty();
    return taken;
  }

private:
  struct Waiting {
    std::function<bool()> done;
    T thing;
  };
  struct Queue {
    Stream stream;
    std::deque<Waiting> waiting;
  };

  std::atomic<bool> any_{false}; // mostly there is nothing, and nobody takes the lock
  std::mutex mutex_;
  std::list<Queue> queues_;
};

} // namespace host
