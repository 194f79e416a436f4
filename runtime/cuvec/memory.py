"""Dtypes of arrays, and the block of memory under them."""

import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from ._core import Buffer, dtypes, structs
from .optional import library

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

Array = np.ndarray[Any, np.dtype[Any]]
# For Python before 3.12, NumPy's annotations know no other exporter of buffers than its own.
array_over: Any = np.ndarray.__new__
MemoryKind = Literal["managed", "pinned"]

# the dtypes that arrays may be created with and NumPy has not, but ml_dtypes
EXTENSIONS = frozenset(name for name in dtypes if name[0].isalpha())
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
    """Return a dtype and its typestr; None is float32, TypeError if unsupported."""
    try:
        return _seen[dtype]
    except (KeyError, TypeError):
        pass
    resolved = named(dtype) if isinstance(dtype, str) else np.dtype(dtype or "float32")
    typestr = typestr_of(resolved)
    if typestr is None and resolved.names:
        known = ", ".join(structs) or "of which it has none"
        raise TypeError(f"unsupported dtype `{resolved}`: use a struct of this package, {known}")
    if typestr is None:
        swapped = "" if resolved.isnative else ", in native byte order"
        raise TypeError(
            f"unsupported dtype `{resolved}`: "
            f"use bool, an integer, a float of 64 bits or fewer, complex64 or complex128{swapped}"
        )
    found = resolved, typestr
    if len(_seen) < 256:  # nobody uses more of them again and again
        _seen[dtype] = found
    return found


def name_of(dtype: object) -> str:
    """Return NumPy's name of a dtype of any library: ``float32`` for ``torch.float32``."""
    return str(dtype).rpartition(".")[2]


def named(name: str) -> np.dtype[Any]:
    """Return the dtype of a name; ImportError if it is one of ml_dtypes, which is not installed."""
    if name in structs:
        return structs[name]
    if name not in EXTENSIONS:
        return np.dtype(name)
    ml_dtypes = library("ml_dtypes", f"ml_dtypes, which adds {name} to NumPy,", "ml_dtypes")
    if not hasattr(ml_dtypes, name):
        raise ImportError(f"this ml_dtypes has no {name}: pip install --upgrade ml_dtypes")
    dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
    return dtype


def typestr_of(dtype: np.dtype[Any]) -> str | None:
    """Return what blocks call a dtype, None if they have none like it.

    It is the typestr (``"<f4"``), or the name of one of ml_dtypes, whose typestr others have too, or of a
    struct.
    """
    if dtype.str in dtypes:
        return dtype.str
    if dtype.names:
        return next((name for name, own in structs.items() if own == dtype), None)
    of_ml_dtypes = dtype.name in EXTENSIONS and dtype.type.__module__ == "ml_dtypes"
    return dtype.name if of_ml_dtypes and dtype.isnative else None
