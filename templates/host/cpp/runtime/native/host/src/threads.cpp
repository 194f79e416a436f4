#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

#include "job.hpp"
#include "os.hpp"

namespace host::threads {

namespace {

/// How long a thread looks for work, or for the end of it, before it sleeps: calls that follow each
/// other find it awake. To be woken takes about as long.
constexpr std::chrono::microseconds PATIENCE{50};

/// Waits until something holds, or patience ends; other threads of the machine go first.
template <typename Condition> void look_for(const Condition &condition) {
  const auto end = std::chrono::steady_clock::now() + PATIENCE;
  while (!condition() && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
}

class Pool {
public:
  /// That of this process. A forked process has none of the threads of its parent, and may have
  /// inherited a locked mutex: it leaves the parent's pool alone and makes its own.
  static Pool &here();

  void run(Job &job);

private:
  void start();
  void serve(std::size_t thread);
  void remove(const Job &job);

  const std::size_t forks_ = os::forks();
  std::mutex mutex_;
  std::condition_variable come_;
  std::condition_variable ended_;
  std::deque<Job *> jobs_;              // that may have tasks left
  std::atomic<std::size_t> waiting_{0}; // the length of `jobs_`, to be read without the lock
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
    waiting_ = jobs_.size();
  }
  for (std::size_t i = 1; i < job.threads(); ++i) {
    come_.notify_one();
  }
  job.work(0);
  {
    const std::scoped_lock lock(mutex_);
    remove(job);
  }
  const auto ended = [&job] { return job.helpers == 0; };
  look_for(ended);
  std::unique_lock lock(mutex_); // which the last helper may still have
  ended_.wait(lock, ended);
}

void Pool::start() {
  if (started_) {
    return;
  }
  started_ = true;
  try {
    for (std::size_t i = 1; i < count(); ++i) {
      std::thread([this, i] { serve(i); }).detach();
    }
  } catch (const std::system_error &) {
    // The system has no more threads: those that there are do it, the caller's at least.
  }
}

void Pool::serve(std::size_t thread) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (jobs_.empty()) {
      lock.unlock();
      look_for([this] { return waiting_ != 0; });
      lock.lock();
    }
    come_.wait(lock, [this] { return !jobs_.empty(); });
    Job &job = *jobs_.front();
    ++job.helpers;
    lock.unlock();
    job.work(thread);
    lock.lock();
    remove(job);
    if (--job.helpers == 0) {
      ended_.notify_all();
    }
  }
}

void Pool::remove(const Job &job) {
  jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), &job), jobs_.end());
  waiting_ = jobs_.size();
}

} // namespace

std::size_t count() {
  // no `static const`: a child could inherit one that is being made
  static std::atomic<std::size_t> known{0};
  std::size_t threads = known.load(std::memory_order_relaxed);
  if (threads == 0) {
    threads = std::max<std::size_t>(os::processors(), 1);
    known.store(threads, std::memory_order_relaxed);
  }
  return threads;
}

void run(std::size_t tasks, const std::function<void(std::size_t)> &task) {
  Job job(tasks, task, count());
  Pool::here().run(job);
  job.rethrow();
}

} // namespace host::threads
