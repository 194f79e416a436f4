#include "kept.hpp"

#include <functional>
#include <memory>
#include <utility>

#include <host/interop.hpp>
#include <host/until_done.hpp>

#include "cpython.hpp"
#include "error.hpp"

namespace {

/// A reference to an object of Python's. Needs the GIL.
using Reference = std::unique_ptr<void, void (*)(void *)>;

/// Never destroyed: the interpreter ends before.
host::UntilDone<Reference> &all = *new host::UntilDone<Reference>;

struct Call {
  host::Stream stream;
  std::function<bool()> done;
};

thread_local Call unfinished;

} // namespace

bool core::is_unfinished(host::Stream stream, int gpu) {
  auto done = host::mark(gpu, stream);
  if (done()) {
    return false;
  }
  unfinished = {stream, std::move(done)};
  return true;
}

core_status core_py_keep(void *arguments) {
  return core::guarded([=] {
    core::python.Py_IncRef(arguments);
    Reference reference(arguments, core::python.Py_DecRef);
    all.add(unfinished.stream, std::exchange(unfinished.done, nullptr), std::move(reference));
  });
}

core_status core_py_release() {
  return core::guarded([] { all.take(); });
}
