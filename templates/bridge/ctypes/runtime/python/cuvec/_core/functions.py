"""The functions of the package."""

from ctypes import c_double, c_uint64

from .array import Array
from .library import function
from .parameters import Real
from .stream import Stream

_axpy = function("core_axpy", Real, Array, Array, Stream)
_dot = function("core_dot", Array, Array, Stream, results=(c_double,))
_assign = function("core_assign", Array, Array, Stream)
_address = function("core_address", Array, results=(c_uint64,))


def axpy(a: float, x: object, y: object, *, stream: object = None) -> None:
    """Add `a * x` to `y`, element by element, in place.

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
        An error from CUDA.
    """
    _axpy(a, x, y, stream)


def dot(x: object, y: object, *, stream: object = None) -> float:
    """Sum of the products of the elements of `x` and `y`.

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
        An error from CUDA.
    """
    result: float = _dot(x, y, stream)
    return result


def assign(x: object, y: object, *, stream: object = None) -> None:
    """Copy the elements of `x` to `y`, wherever the two are.

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
        An error from CUDA.
    """
    _assign(x, y, stream)


def address(x: object) -> int:
    """Address of the first element of `x`, as reported by a kernel that was given `x`.

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
        In host memory that the GPU cannot address.
    """
    result: int = _address(x)
    return result
