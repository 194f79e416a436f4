// Other Python threads run meanwhile.
#pragma once

#include <Python.h>

#include "run.hpp"

namespace python {

/// Releases the GIL as long as it lives. Objects of Python must not be touched meanwhile.
class Unlocked {
public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() { run(PyEval_RestoreThread, state_); }
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
