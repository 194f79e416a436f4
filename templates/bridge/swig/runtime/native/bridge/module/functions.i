// The functions of the package: what is declared here is a function in Python.
//
// A docstring begins with the signature, as Python shows it, and `--`.

namespace host {

%feature("docstring") axpy %{axpy(a, x, y, *, stream=None)
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
    An error from CUDA.%}
void axpy(double a, const Array &x, const Array &y, std::optional<Stream> stream = {});

%feature("docstring") dot %{dot(x, y, *, stream=None)
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
    An error from CUDA.%}
double dot(const Array &x, const Array &y, std::optional<Stream> stream = {});

} // namespace host
