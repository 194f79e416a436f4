#include "kept.hpp"

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

thread_local host::Mark unfinished;

} // namespace

bool core::is_unfinished(host::Stream stream, int gpu) {
  auto mark = host::mark(gpu, stream);
  if (mark.has_passed()) {
    return false;
  }
  unfinished = std::move(mark);
  return true;
}

core_status core_py_keep(void *arguments) {
  return core::guarded([=] {
    core::python.Py_IncRef(arguments);
    Reference reference(arguments, core::python.Py_DecRef);
    all.add(unfinished.order, std::exchange(unfinished.has_passed, nullptr), std::move(reference));
  });
}

core_status core_py_release() {
  return core::guarded([] { all.take(); });
}
