"""Arrays from other objects."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Buffer, assign
from .array import CuVec
from .memory import MemoryKind, array_over, buffer_of
from .source import describe, describe_host, host_array, on_gpu

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


def asarray(a: Any, dtype: "DTypeLike | None" = None, memory: MemoryKind | None = None) -> CuVec:
    """Return `a` as a CuVec, sharing memory where `a` already is in ours.

    Parameters
    ----------
    a : array or array-like
        A CuVec, its raw buffer (``arr.cuvec``) and NumPy views of them are shared. Everything else
        is copied: NumPy arrays, sequences, objects with the buffer protocol, and arrays on the GPU
        with ``__cuda_array_interface__`` or ``__dlpack__``.
    dtype : data-type, optional
        That of `a` by default; another one makes a copy.
    memory : {"managed", "pinned"}, optional
        That of `a` by default, managed for foreign objects; another one makes a copy.

    Raises
    ------
    TypeError
        The dtype is none that `cuvec.empty` takes.
    """
    a = _array_over(a) if isinstance(a, Buffer) else a
    block = buffer_of(a) if isinstance(a, np.ndarray) else None
    if block is None or memory not in (None, block.memory):
        return copy(a, dtype, memory)
    if dtype is not None and np.dtype(dtype) != a.dtype:
        return copy(a, dtype, memory)
    return a if isinstance(a, CuVec) else a.view(CuVec)


def copy(a: Any, dtype: "DTypeLike | None" = None, memory: MemoryKind | None = None) -> CuVec:
    """Return a C-contiguous copy of `a`; parameters and errors as `asarray`."""
    a = _array_over(a) if isinstance(a, Buffer) else a
    if not on_gpu(a):
        a = host_array(a)  # once: some objects can be read a single time, or compute what is read
        shape, own_dtype, own_memory = describe_host(a)
        out = CuVec(shape, own_dtype if dtype is None else dtype, memory or own_memory)
        out[...] = a
        return out
    shape, own_dtype, own_memory = describe(a)
    out = CuVec(shape, own_dtype, memory or own_memory)
    assign(a, out)
    return asarray(out, dtype)


def _array_over(block: Buffer) -> CuVec:
    array: CuVec = array_over(CuVec, block.shape, block.typestr, block)
    return array
