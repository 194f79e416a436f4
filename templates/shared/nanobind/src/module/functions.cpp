// The functions of the package.

#include <host/ops.hpp>

#include "../python/unlocked.hpp"
#include "argument.hpp"
#include "module.hpp"
#include "stream.hpp"

using namespace nb::literals;

namespace {

/// Other Python threads run while the GPU or the CPU works.
using Unlocked = nb::call_guard<python::Unlocked>;

constexpr const char *AXPY = R"(Add `a * x` to `y`, element by element, in place.

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

constexpr const char *DOT = R"(Sum of the products of the elements of `x` and `y`.

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

constexpr const char *ASSIGN = R"(Copy the elements of `x` to `y`, wherever the two are.

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

constexpr const char *ADDRESS =
    R"(Address of the first element of `x`, as reported by a kernel that was given `x`.

Parameters
----------
x : array
    In memory that the GPU can address. Without a GPU, any array.

Returns
-------
int
    The address.

Raises
------
TypeError
    Not an array.
ValueError
    In host memory that the GPU cannot address.)";

void axpy(Number a, const host::Array &x, const host::Array &y,
          std::optional<host::Stream> stream) {
  host::axpy(a.value, x, y, stream);
}

/// Lets pickle look functions up by their name, as it does those written in Python.
void make_picklable(nb::handle function) {
  const auto name = nb::cpp_function([](nb::handle it) { return it.attr("__qualname__"); });
  nb::module_::import_("copyreg").attr("pickle")(function.type(), name);
}

} // namespace

void add_functions(nb::module_ &module) {
  const auto stream = "stream"_a.none() = nb::none();
  module.def("axpy", &axpy, "a"_a, "x"_a, "y"_a, nb::kw_only(), stream, Unlocked(), AXPY);
  module.def("dot", &host::dot, "x"_a, "y"_a, nb::kw_only(), stream, Unlocked(), DOT);
  module.def("assign", &host::assign, "x"_a, "y"_a, nb::kw_only(), stream, Unlocked(), ASSIGN);
  module.def("address", &host::address, "x"_a, Unlocked(), ADDRESS);
  make_picklable(module.attr("axpy"));
}
