#include "job.hpp"

#include <algorithm>

namespace host::threads {

Job::Job(std::size_t tasks, const std::function<void(std::size_t)> &task, std::size_t threads)
    : task_(task), tasks_(tasks), begun_(std::min(tasks, threads)) {}

void Job::work(std::size_t thread) {
  for (std::size_t share = thread; share < thread + threads(); ++share) {
    std::size_t task = 0;
    while (take(share % threads(), task)) {
      run(task);
    }
  }
}

/// Sets `task` to one of the share that nobody has begun.
bool Job::take(std::size_t share, std::size_t &task) {
  task = share * tasks_ / threads() + begun_[share]++;
  return task < (share + 1) * tasks_ / threads();
}

void Job::run(std::size_t task) {
  try {
    task_(task);
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (error_ == nullptr) {
      error_ = std::current_exception();
    }
  }
}

void Job::rethrow() const {
  if (error_ != nullptr) {
    std::rethrow_exception(error_);
  }
}

} // namespace host::threads
