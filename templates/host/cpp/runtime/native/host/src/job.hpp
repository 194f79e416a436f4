// The tasks of one call, which several threads do.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace host::threads {

/// Every thread has a share of the tasks: the same one in calls that follow each other, so that it
/// finds in its cache what it left there. Who has finished helps the others.
class Job {
public:
  /// For so many threads, which have numbers from 0.
  Job(std::size_t tasks, const std::function<void(std::size_t)> &task, std::size_t threads);

  /// Threads that it is worth.
  std::size_t threads() const { return begun_.size(); }

  /// Does tasks until all have been begun, as the thread of this number.
  void work(std::size_t thread);

  /// Throws the first exception of a task, if there was one.
  void rethrow() const;

  std::atomic<std::size_t> helpers{0}; // threads of the pool that are at it

private:
  bool take(std::size_t share, std::size_t &task);
  void run(std::size_t task);

  const std::function<void(std::size_t)> &task_;
  const std::size_t tasks_;
  std::vector<std::atomic<std::size_t>> begun_; // tasks of each share
  std::mutex mutex_;
  std::exception_ptr error_;
};

} // namespace host::threads
