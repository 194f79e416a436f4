// Mutexes of processes that fork.
#pragma once

#include <mutex>

namespace host {

/// Locks the mutex during every fork from now on: a child does not inherit it locked by a thread
/// that it does not have. To be called when the library is loaded. Who has such a mutex locked
/// waits for no other, and forks not.
void hold_at_fork(std::mutex &mutex);

} // namespace host
