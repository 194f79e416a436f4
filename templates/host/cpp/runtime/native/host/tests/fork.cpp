// A forked process has none of its parent's threads, and starts its own.
#ifndef _WIN32

#include <atomic>

#include <sys/wait.h>
#include <unistd.h>

#include "test.hpp"
#include "threads.hpp"

namespace {

bool runs_all() {
  std::atomic<int> runs{0};
  host::threads::run(100, [&runs](std::size_t /*i*/) { ++runs; });
  return runs == 100;
}

} // namespace

TEST(threads_work_after_a_fork) {
  CHECK(runs_all());
  const pid_t child = fork();
  if (child == 0) {
    _exit(runs_all() ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(runs_all());
}

#endif
