// Calls into the interpreter that may not come back.
#pragma once

namespace python {

/// Waits for the end of the process.
[[noreturn]] void stay() noexcept;

/// The result of a function of the C API that runs Python code, or waits for the GIL. Either may
/// find that the interpreter has ended, and end this thread, a daemon, with it: before Python 3.14
/// by unwinding its stack. Destructors further up would then touch Python objects without the GIL,
/// so that the thread stays here, as it does from 3.14 on.
template <typename Result, typename... Parameters, typename... Arguments>
Result run(Result (*function)(Parameters...), Arguments... arguments) {
  try {
    return function(arguments...);
  } catch (...) { // the C API throws nothing else
    stay();
  }
}

} // namespace python
