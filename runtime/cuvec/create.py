"""Functions that make arrays."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from .array import CuVec
from .convert import describe

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from .memory import MemoryKind

    Shape = SupportsIndex | Sequence[SupportsIndex]


def empty(
    shape: "Shape", dtype: "DTypeLike" = "float32", memory: "MemoryKind" = "managed"
) -> CuVec:
    """Return an array without setting its elements.

    Parameters
    ----------
    shape : int or sequence of ints
    dtype : data-type
        bool, any integer, float16, float32, float64, complex64 or complex128; with ml_dtypes
        installed also the dtypes of it that kernels have, such as bfloat16, by name too.
    memory : {"managed", "pinned"}
        CUDA managed memory, which moves to whoever uses it, or page-locked host memory, which the
        GPU reads in place. Without a GPU both are plain host memory.

    Raises
    ------
    ValueError
        `shape` is negative or overflows, or `memory` is unknown.
    TypeError
        `dtype` is not one of the above.
    ImportError
        `dtype` is the name of one of ml_dtypes, which is not installed.
    MemoryError
        There is not enough memory.
    """
    return CuVec._allocate(shape, dtype, memory, False)


def zeros(
    shape: "Shape", dtype: "DTypeLike" = "float32", memory: "MemoryKind" = "managed"
) -> CuVec:
    """Return an array of zeros; parameters and errors as `empty`."""
    return CuVec._allocate(shape, dtype, memory, True)


def ones(shape: "Shape", dtype: "DTypeLike" = "float32", memory: "MemoryKind" = "managed") -> CuVec:
    """Return an array of ones; parameters and errors as `empty`."""
    return full(shape, 1, dtype, memory)


def full(
    shape: "Shape",
    fill_value: "ArrayLike",
    dtype: "DTypeLike" = "float32",
    memory: "MemoryKind" = "managed",
) -> CuVec:
    """Return an array filled with a value (or with an array, broadcast); otherwise as `empty`."""
    out = CuVec(shape, dtype, memory)
    out[...] = fill_value
    return out


def empty_like(
    a: Any, dtype: "DTypeLike | None" = None, memory: "MemoryKind | None" = None
) -> CuVec:
    """Return a C-contiguous array without setting its elements, with the shape of `a`.

    dtype and memory kind are as for `a` unless given (managed, if `a` is no CuVec).
    """
    return CuVec(*_traits(a, dtype, memory))


def zeros_like(
    a: Any, dtype: "DTypeLike | None" = None, memory: "MemoryKind | None" = None
) -> CuVec:
    """Return an array of zeros; otherwise as `empty_like`."""
    return zeros(*_traits(a, dtype, memory))


def ones_like(
    a: Any, dtype: "DTypeLike | None" = None, memory: "MemoryKind | None" = None
) -> CuVec:
    """Return an array of ones; otherwise as `empty_like`."""
    return ones(*_traits(a, dtype, memory))


def full_like(
    a: Any,
    fill_value: "ArrayLike",
    dtype: "DTypeLike | None" = None,
    memory: "MemoryKind | None" = None,
) -> CuVec:
    """Return an array filled with a value; otherwise as `empty_like`."""
    shape, dtype, memory = _traits(a, dtype, memory)
    return full(shape, fill_value, dtype, memory)


def _traits(
    a: Any, dtype: "DTypeLike | None", memory: "MemoryKind | None"
) -> tuple["Shape", "DTypeLike", "MemoryKind"]:
    shape, own_dtype, own_memory = describe(a)
    return shape, own_dtype if dtype is None else dtype, memory or own_memory
