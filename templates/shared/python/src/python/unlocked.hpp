// Other Python threads run meanwhile.
#pragma once

#include <Python.h>

namespace python {

/// Releases the GIL as long as it lives. Objects of Python must not be touched meanwhile.
class Unlocked {
public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked &) = delete;
  Unlocked &operator=(const Unlocked &) = delete;

private:
  PyThreadState *state_;
};

/// The result of a function that is called without the GIL.
template <typename Function> auto unlocked(const Function &function) {
  const Unlocked released;
  return function();
}

} // namespace python
