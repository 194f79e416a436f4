"""Copies into our memory that keep the order of axes."""

from typing import TypeVar

import numpy as np

from ._core import Buffer
from .memory import Array, MemoryKind, array_over, typestr_of
from .view import BlockView

T = TypeVar("T", bound=BlockView)


def copy_of(source: Array, cls: type[T], memory: MemoryKind, order: str) -> T:
    """Copy an array; `order` is "C", "F", "A" or "K" as for ``numpy.ndarray.copy``."""
    axes = slowest_first(source, order.upper())
    out = _empty(tuple(source.shape[axis] for axis in axes), source.dtype, cls, memory)
    if axes != sorted(axes):
        out = out.transpose(np.argsort(axes).tolist())
    out[...] = source
    out.__array_finalize__(source)  # where NumPy's subclasses take their attributes from an array
    return out


def restore(
    source: Array, cls: type[T], memory: MemoryKind, attributes: dict[str, object] | None = None
) -> T:
    """Make a pickled CuVec again. The pickle may be anybody's."""
    array: object = source
    kind: object = cls
    of_ours = isinstance(kind, type) and issubclass(kind, BlockView)
    if not (of_ours and isinstance(array, np.ndarray)):
        raise TypeError("the pickle is not one of a CuVec")
    copy = copy_of(source, cls, memory, "K")
    vars(copy).update(attributes or {})
    return copy


def slowest_first(source: Array, order: str) -> list[int]:
    """Return the axes in the order in which a copy has them in memory."""
    axes = list(range(source.ndim))
    if order == "F" or (order == "A" and source.flags.fnc):
        return axes[::-1]
    if order == "K":
        return sorted(axes, key=lambda axis: -abs(source.strides[axis]))
    if order in ("C", "A"):
        return axes
    raise ValueError(f"order must be one of 'C', 'F', 'A' or 'K', not {order!r}")


def _empty(
    shape: tuple[int, ...], dtype: "np.dtype[np.generic]", cls: type[T], memory: MemoryKind
) -> T:
    if dtype.hasobject:  # bytes of the memory would be taken for objects
        raise TypeError(f"dtype `{dtype}` has Python objects, which are not for memory of the GPU")
    typestr = typestr_of(dtype)
    if typestr is not None:
        block = Buffer(shape, typestr, memory, False)
    else:  # a view as complex or as records: the block does not mind
        block = Buffer((int(np.prod(shape)) * dtype.itemsize,), "|u1", memory, False)
    array: T = array_over(cls, shape, dtype, block)
    return array
