"""What arrays are made of: dtypes, and the block of memory under them."""

import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from ._core import Buffer

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

Array = np.ndarray[Any, np.dtype[Any]]
# For Python before 3.12, NumPy's annotations know no other exporter of buffers than its own.
array_over: Any = np.ndarray.__new__
MemoryKind = Literal["managed", "pinned"]

# the dtypes that arrays may be created with
SUPPORTED = frozenset(np.dtype(char).str for char in "?bBhHiIqQefdFD")
_seen: dict[Any, tuple[np.dtype[Any], str]] = {}  # parsing a dtype costs as much as an allocation


def buffer_of(array: Array) -> Buffer | None:
    """Return the block that an array is a view of, None if it is over foreign memory."""
    base: object = array
    while isinstance(base, np.ndarray):
        base = base.base
    return base if isinstance(base, Buffer) else None


def address_of(array: Array) -> int:
    """Return the address of an array's first element."""
    address: int = array.__array_interface__["data"][0]
    return address


def extent_of(array: Array, block: Buffer) -> tuple[int, int]:
    """Return offset and length, in bytes, of the part of `block` that an array touches."""
    if array.size == 0:
        return 0, 0
    spans = [(n - 1) * stride for n, stride in zip(array.shape, array.strides, strict=True)]
    first = sum(span for span in spans if span < 0)
    last = sum(span for span in spans if span > 0)
    return address_of(array) + first - block.ptr, last - first + array.itemsize


def as_shape(shape: SupportsIndex | Iterable[SupportsIndex]) -> tuple[SupportsIndex, ...]:
    """Return an integer or a sequence of integers as a tuple."""
    if isinstance(shape, Iterable) and not hasattr(shape, "__index__"):
        return tuple(shape)
    try:
        return (operator.index(shape),)  # type: ignore[arg-type]
    except TypeError:
        if isinstance(shape, Iterable):  # a NumPy array has both protocols
            return tuple(shape)
        raise


def resolve(dtype: "DTypeLike | None") -> tuple[np.dtype[Any], str]:
    """Return a dtype and its typestr (``"<f4"``); None is float32, TypeError if unsupported."""
    try:
        return _seen[dtype]
    except (KeyError, TypeError):
        pass
    resolved = np.dtype("float32" if dtype is None else dtype)
    if resolved.str not in SUPPORTED:
        swapped = "" if resolved.isnative else ", in native byte order"
        raise TypeError(
            f"unsupported dtype `{resolved}`: "
            f"use bool, an integer, float16, float32, float64, complex64 or complex128{swapped}"
        )
    found = resolved, resolved.str
    if len(_seen) < 256:  # nobody uses more of them again and again
        _seen[dtype] = found
    return found
