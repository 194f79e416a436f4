#include "kept.hpp"

#include <functional>
#include <utility>

#include <host/interop.hpp>
#include <host/until_done.hpp>

#include "cpython.hpp"
#include "error.hpp"

namespace {

using core::Reference;

/// Never destroyed: the interpreter ends before.
host::UntilDone<Reference> &all = *new host::UntilDone<Reference>;

struct Call {
  host::Stream stream;
  std::function<bool()> done;
};

thread_local Call unfinished;

} // namespace

void core::mark_unfinished(host::Stream stream, int gpu) {
  unfinished = {stream, host::mark(gpu, stream)};
}

core_status core_py_keep(void *arguments) {
  return core::guarded([=] {
    core::python.Py_IncRef(arguments);
    Reference reference(arguments, core::python.Py_DecRef);
    all.add(unfinished.stream, std::exchange(unfinished.done, nullptr), std::move(reference));
    all.take(); // afterwards, because what is freed may make calls of its own
  });
}

core_status core_py_release() {
  return core::guarded([] { all.take(); });
}
