#include "kept.hpp"

#include <utility>

#include <host/interop.hpp>
#include <host/until_done.hpp>

#include "cpython.hpp"
#include "error.hpp"

namespace {

using core::Reference;

/// Never destroyed: the interpreter ends before.
host::UntilDone<Reference> &all = *new host::UntilDone<Reference>;

thread_local host::Mark unfinished;

} // namespace

void core::mark_unfinished(host::Stream stream, int gpu) { unfinished = host::mark(gpu, stream); }

core_status core_py_keep(void *arguments) {
  return core::guarded([=] {
    core::python.Py_IncRef(arguments);
    Reference reference(arguments, core::python.Py_DecRef);
    all.add(unfinished.order, std::exchange(unfinished.has_passed, nullptr), std::move(reference));
    all.take(); // afterwards, because what is freed may make calls of its own
  });
}

core_status core_py_release() {
  return core::guarded([] { all.take(); });
}
