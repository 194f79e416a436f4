// The threads of this process that share the work of one call.
//
// Not OpenMP: its runtime would be one more library in every wheel, two of them in one process
// (NumPy's, PyTorch's) get into each other's way, and GNU's does not survive a fork. Sixty lines
// of std::thread have none of this.
#pragma once

#include <cstddef>
#include <functional>

namespace host::threads {

/// Threads that can work at the same time, the caller's among them.
std::size_t count();

/// Runs task(0) … task(tasks - 1), on this thread and on others, and returns when all have ended.
/// Rethrows the first of their exceptions. May be called by several threads at once.
void run(std::size_t tasks, const std::function<void(std::size_t)> &task);

} // namespace host::threads
