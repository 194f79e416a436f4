#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "os.hpp"

namespace host::threads {

namespace {

struct Job {
  Job(std::size_t tasks, const std::function<void(std::size_t)> &task) : task(task), tasks(tasks) {}

  const std::function<void(std::size_t)> &task;
  std::size_t tasks;
  std::atomic<std::size_t> next{0}; // that nobody has begun
  std::size_t helpers = 0;          // threads of the pool that are at it
  std::exception_ptr error;
};

class Pool {
public:
  /// That of this process. A forked process has none of the threads of its parent, and may have
  /// inherited a locked mutex: it leaves the parent's pool alone and makes its own.
  static Pool &here();

  void run(Job &job);

private:
  void start();
  void serve();
  void work_on(Job &job);

  const std::size_t forks_ = os::forks();
  std::mutex mutex_;
  std::condition_variable come_;
  std::condition_variable ended_;
  std::deque<Job *> jobs_; // that may have tasks left
  bool started_ = false;
};

Pool &Pool::here() {
  // Never destroyed: its threads wait in it until the process ends.
  static std::atomic<Pool *> current{nullptr};
  Pool *pool = current.load(std::memory_order_acquire);
  while (pool == nullptr || pool->forks_ != os::forks()) {
    auto *fresh = new Pool; // without threads yet
    if (current.compare_exchange_strong(pool, fresh)) {
      return *fresh;
    }
    delete fresh;
  }
  return *pool;
}

void Pool::run(Job &job) {
  {
    const std::scoped_lock lock(mutex_);
    start();
    jobs_.push_back(&job);
  }
  come_.notify_all();
  work_on(job);
  std::unique_lock lock(mutex_);
  jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), &job), jobs_.end());
  ended_.wait(lock, [&job] { return job.helpers == 0; });
}

void Pool::start() {
  if (started_) {
    return;
  }
  started_ = true;
  try {
    for (std::size_t i = 1; i < count(); ++i) {
      std::thread([this] { serve(); }).detach();
    }
  } catch (const std::system_error &) {
    // The system has no more threads: those that there are do it, the caller's at least.
  }
}

void Pool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    come_.wait(lock, [this] { return !jobs_.empty(); });
    Job &job = *jobs_.front();
    if (job.next.load() >= job.tasks) {
      jobs_.pop_front();
      continue;
    }
    ++job.helpers;
    lock.unlock();
    work_on(job);
    lock.lock();
    if (--job.helpers == 0) {
      ended_.notify_all();
    }
  }
}

void Pool::work_on(Job &job) {
  for (std::size_t i = job.next++; i < job.tasks; i = job.next++) {
    try {
      job.task(i);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (job.error == nullptr) {
        job.error = std::current_exception();
      }
    }
  }
}

} // namespace

std::size_t count() {
  static const std::size_t threads = std::max<std::size_t>(os::processors(), 1);
  return threads;
}

void run(std::size_t tasks, const std::function<void(std::size_t)> &task) {
  Job job(tasks, task);
  Pool::here().run(job);
  if (job.error != nullptr) {
    std::rethrow_exception(job.error);
  }
}

} // namespace host::threads
