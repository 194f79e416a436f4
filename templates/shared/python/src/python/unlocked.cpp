#include "unlocked.hpp"

#include <chrono>
#include <thread>

namespace python {

Unlocked::Unlocked() : state_(PyEval_SaveThread()) {}

Unlocked::~Unlocked() {
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {
    // The interpreter has ended and is ending this thread, a daemon, with it: before Python 3.14
    // by unwinding its stack. Destructors further up would touch Python objects, so that the
    // thread waits here for the end of the process, as it does from 3.14 on.
    for (;;) {
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }
}

} // namespace python
