// The functions of the package.

#include <host/ops.hpp>
#include <python/argument.hpp>
#include <python/stream.hpp>
#include <python/unlocked.hpp>

#include "method.hpp"
#include "module.hpp"

namespace python {

namespace {

constexpr const char *AXPY = R"(axpy($module, a, x, y, *, stream=None)
--

Add `a * x` to `y`, element by element, in place.

Parameters
----------
a : float
    The factor; rounded to float32 for float32 arrays.
x, y : array of float32 or float64, any shape
    C-contiguous, of the same shape and dtype, not overlapping. Any object with
    `__dlpack__`, `__cuda_array_interface__` or the buffer protocol. `y` is written to.
stream : int or stream object, optional
    Run on this CUDA stream and do not wait. Arrays in host memory are waited for.

Raises
------
TypeError
    Not arrays, or of another dtype.
ValueError
    Different shapes, overlapping, not contiguous, on two devices, or `y` is read-only.
RuntimeError
    An error from CUDA.)";

Object axpy(const Call &call) {
  const auto given = call.match("axpy", {"a", "x", "y"}, {"stream"});
  const double a = number(given[0]);
  const Argument x(given[1]);
  const Argument y(given[2]);
  const auto stream = python::stream(given[3]);
  unlocked([&] { host::axpy(a, x.array(), y.array(), stream); });
  return none();
}

constexpr const char *DOT = R"(dot($module, x, y, *, stream=None)
--

Sum of the products of the elements of `x` and `y`.

Sums are carried in float64 or better, and equal input gives equal bits.

Parameters
----------
x, y : array of float32 or float64, any shape
    C-contiguous, of the same shape and dtype. Any object with `__dlpack__`,
    `__cuda_array_interface__` or the buffer protocol.
stream : int or stream object, optional
    Run on this CUDA stream. The result is waited for in any case.

Returns
-------
float
    The sum; 0.0 for empty arrays.

Raises
------
TypeError
    Not arrays, or of another dtype.
ValueError
    Different shapes, not contiguous, or on two devices.
RuntimeError
    An error from CUDA.)";

Object dot(const Call &call) {
  const auto given = call.match("dot", {"x", "y"}, {"stream"});
  const Argument x(given[0]);
  const Argument y(given[1]);
  const auto stream = python::stream(given[2]);
  const double sum = unlocked([&] { return host::dot(x.array(), y.array(), stream); });
  return checked(PyFloat_FromDouble(sum));
}

PyMethodDef table[] = {
    {"axpy", function<axpy>(), ARGUMENTS, AXPY},
    {"dot", function<dot>(), ARGUMENTS, DOT},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

void add_functions(PyObject *module) { add_table(module, table); }

} // namespace python
