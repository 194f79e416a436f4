// What the package does to arrays of any kind, and the pool that their memory is from.

#include <host/memory.hpp>
#include <host/ops.hpp>
#include <python/argument.hpp>
#include <python/stream.hpp>
#include <python/unlocked.hpp>

#include "method.hpp"
#include "module.hpp"

namespace python {

namespace {

constexpr const char *ASSIGN = R"(assign($module, x, y, *, stream=None)
--

Copy the elements of `x` to `y`, wherever the two are.

Parameters
----------
x, y : array, any shape
    C-contiguous, of the same shape and dtype, not overlapping. `y` is written to.
stream : int or stream object, optional
    Run on this CUDA stream and do not wait. Arrays in host memory are waited for.

Raises
------
TypeError
    Not arrays, or of different dtypes.
ValueError
    Different shapes, overlapping, not contiguous, on two devices, or `y` is read-only.
RuntimeError
    An error from CUDA.)";

Object assign(const Call &call) {
  const auto given = call.match("assign", {"x", "y"}, {"stream"});
  const Argument x(given[0], "x");
  const Argument y(given[1], "y");
  const auto stream = stream_if_any(given[2]);
  unlocked([&] { host::assign(x.array(), y.array(), stream); });
  return none();
}

Object memory_stats() {
  const host::MemoryStatistics statistics = host::memory_statistics();
  return checked(Py_BuildValue("(nn)", static_cast<Py_ssize_t>(statistics.used),
                               static_cast<Py_ssize_t>(statistics.held)));
}

Object empty_cache() {
  unlocked(host::empty_cache);
  return none();
}

PyMethodDef memory_methods[] = {
    {"assign", function<assign>(), ARGUMENTS, ASSIGN},
    {"memory_stats", function<memory_stats>(), METH_NOARGS, R"(memory_stats($module)
--

Bytes in arrays, and bytes held by the pool: in arrays or ready for new ones.)"},
    {"empty_cache", function<empty_cache>(), METH_NOARGS, R"(empty_cache($module)
--

Give all memory that no array uses back to the system.)"},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

void add_memory(PyObject *module) { add_table(module, memory_methods); }

} // namespace python
