"""Arrays from other objects: on the host or on the GPU, with a shape and a dtype."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Buffer, array_of, assign, refuse_subclass
from .array import CuVec
from .memory import EXTENSIONS, Array, MemoryKind, buffer_of, name_of, named, resolve

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

HOST_DLPACK_TYPES = (1, 3)  # kDLCPU, kDLCUDAHost


def asarray(a: Any, dtype: "DTypeLike | None" = None, memory: MemoryKind | None = None) -> CuVec:
    """Return `a` as a CuVec, sharing memory where `a` already is in ours.

    Parameters
    ----------
    a : array or array-like
        A CuVec, its raw buffer (``arr.cuvec``) and NumPy views of them are shared. Everything else
        is copied: NumPy arrays, sequences, objects with the buffer protocol, and arrays on the GPU
        with ``__cuda_array_interface__`` or ``__dlpack__``.
    dtype : data-type, optional
        The dtype of `a` by default; another one makes a copy.
    memory : {"managed", "pinned"}, optional
        As for `a` by default, managed for foreign objects; another one makes a copy.

    Raises
    ------
    TypeError
        The dtype is none that `cuvec.empty` takes.
    """
    a = array_of(a) if isinstance(a, Buffer) else a
    refuse_subclass(a)
    block = buffer_of(a) if isinstance(a, np.ndarray) else None
    if block is None or memory not in (None, block.memory):
        return copy(a, dtype, memory)
    if dtype is not None and resolve(dtype)[0] != a.dtype:
        return copy(a, dtype, memory)
    return a if isinstance(a, CuVec) else a.view(CuVec)


def copy(a: Any, dtype: "DTypeLike | None" = None, memory: MemoryKind | None = None) -> CuVec:
    """Return a C-contiguous copy of `a`; parameters and errors as `asarray`."""
    a = array_of(a) if isinstance(a, Buffer) else a
    refuse_subclass(a)
    if not is_beyond_numpy(a):
        a = host_array(a)  # once: some objects can be read a single time, or compute what is read
        shape, own_dtype, own_memory = describe_host(a)
        out = CuVec(shape, own_dtype if dtype is None else dtype, memory or own_memory)
        out[...] = a
        return out
    shape, own_dtype, own_memory = describe(a)
    out = CuVec(shape, own_dtype, memory or own_memory)
    assign(a, out)
    return asarray(out, dtype)


def is_beyond_numpy(a: Any) -> bool:
    """Return whether an object is an array that NumPy cannot read."""
    if isinstance(a, np.ndarray):
        return False
    if _name_of_dtype(a) in EXTENSIONS:  # of which the CUDA array interface may be an error
        return hasattr(a, "__dlpack_device__")
    if hasattr(a, "__cuda_array_interface__"):
        return True
    if not hasattr(a, "__dlpack_device__"):
        return False
    device = a.__dlpack_device__()
    if not isinstance(device, tuple) or len(device) != 2:
        raise TypeError("__dlpack_device__() must return a type and an index")
    return device[0] not in HOST_DLPACK_TYPES


def host_array(a: Any) -> Array:
    """Return anything that NumPy understands as an array, without a copy if it can be had."""
    if hasattr(a, "__dlpack__") and not hasattr(a, "__array__"):
        try:
            return np.from_dlpack(a)
        except RuntimeError as error:  # from NumPy, for devices and dtypes that it does not know
            raise ValueError(str(error)) from error
    return np.asarray(a)


def readable(a: Any, name: str) -> Array | None:
    """Return what NumPy makes of an object with ``__array__``, for the argument of this name, or None.

    None, too, for what would be calculated first, as by Dask.

    Raises
    ------
    ValueError
        Values are missing, as in columns of pandas whose dtype is nullable.
    """
    graph = getattr(a, "__dask_graph__", None)
    if not hasattr(type(a), "__array__") or (graph and graph() is not None):
        return None
    if hasattr(getattr(a, "dtype", None), "numpy_dtype") and np.any(a.isna()):
        raise ValueError(
            f"{name} has missing values; pass what .to_numpy(dtype=..., na_value=...) of it returns"
        )
    array: Array = np.asanyarray(a)
    return array


def describe(a: Any) -> tuple[tuple[int, ...], np.dtype[Any], MemoryKind]:
    """Return shape, dtype (in native byte order) and memory kind that a copy of `a` gets."""
    refuse_subclass(a)
    if is_beyond_numpy(a):
        return *_shape_and_dtype(a), "managed"
    return describe_host(host_array(a))


def describe_host(array: Array) -> tuple[tuple[int, ...], np.dtype[Any], MemoryKind]:
    """Return the same for a NumPy array."""
    block = buffer_of(array)
    memory: MemoryKind = "managed" if block is None else block.memory
    dtype = array.dtype if array.dtype.isnative else array.dtype.newbyteorder("=")
    return array.shape, dtype, memory


def _shape_and_dtype(a: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    name = _name_of_dtype(a)
    extension = name in EXTENSIONS
    interface = None if extension else getattr(a, "__cuda_array_interface__", None)
    if interface is not None:
        return tuple(_entry(interface, "shape")), np.dtype(_entry(interface, "typestr"))
    # an object that only has DLPack is an array of some library
    if not (hasattr(a, "shape") and hasattr(a, "dtype")):
        raise TypeError(f"a {type(a).__name__} on the GPU has DLPack, but no shape and dtype")
    return tuple(a.shape), named(name)


def _name_of_dtype(a: Any) -> str:
    return name_of(getattr(a, "dtype", ""))


def _entry(interface: Any, key: str) -> Any:
    """Return the value of a key of a `__cuda_array_interface__`."""
    if not isinstance(interface, dict):
        raise TypeError("the array's __cuda_array_interface__ is no dict")
    if key not in interface:
        raise ValueError(f'the array\'s __cuda_array_interface__ has no "{key}"')
    return interface[key]
