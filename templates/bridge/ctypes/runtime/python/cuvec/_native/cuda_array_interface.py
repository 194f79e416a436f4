"""`__cuda_array_interface__`, version 3 and earlier.

https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html
"""

from collections.abc import Sequence
from ctypes import c_ssize_t
from typing import Any, TypeGuard

from .library import function
from .parameters import Text, is_unsigned
from .structs import C_CONTIGUOUS, ON_GPU, READY, WRITABLE, CoreArray

LEGACY_DEFAULT_STREAM = 1
LARGEST = (1 << 63) - 1

_array_of = function("core_dtype_of_typestr", Text, results=(CoreArray,))
_MISSING = object()


def find_interface(value: Any) -> dict[str, Any] | None:
    """Return the interface of an object, None if it has none."""
    interface = getattr(value, "__cuda_array_interface__", _MISSING)
    if interface is _MISSING:
        return None
    if not isinstance(interface, dict):
        raise TypeError("the array's __cuda_array_interface__ is no dict")
    return interface


def is_writable(interface: dict[str, Any]) -> bool:
    """Return whether the array may be written to."""
    return not _data_of(interface)[1]


def read_interface(interface: dict[str, Any]) -> CoreArray:
    """Read an array by its interface."""
    typestr = _entry(interface, "typestr")
    if not isinstance(typestr, str):
        raise TypeError("the array's typestr is no string")
    array: CoreArray = _array_of(typestr)
    array.flags |= ON_GPU
    array.data, read_only = _data_of(interface)
    if not read_only:
        array.flags |= WRITABLE
    shape = _shape_of(interface)
    array.ndim = len(shape)
    array.shape = (c_ssize_t * len(shape))(*shape)
    if interface.get("mask") is not None:
        raise ValueError("masked arrays are not supported")
    _set_strides(array, interface)
    _set_stream(array, interface)
    return array


def _entry(interface: dict[str, Any], key: str) -> Any:
    value = interface.get(key)
    if value is None:
        raise ValueError(f'the array\'s __cuda_array_interface__ has no "{key}"')
    return value


def _are_integers(values: object) -> TypeGuard[Sequence[int]]:
    return isinstance(values, list | tuple) and all(isinstance(n, int) for n in values)


def _data_of(interface: dict[str, Any]) -> tuple[int, bool]:
    """Return the address, and whether the memory is read-only."""
    data = _entry(interface, "data")
    if isinstance(data, list | tuple) and len(data) == 2:
        address, read_only = data
        if is_unsigned(address) and isinstance(read_only, bool):
            return address, read_only
    raise TypeError("the array's data is no address and flag")


def _shape_of(interface: dict[str, Any]) -> Sequence[int]:
    shape = _entry(interface, "shape")
    if not _are_integers(shape) or not all(0 <= n <= LARGEST for n in shape):
        raise ValueError("the array has a negative or too large extent")
    return shape


def _set_strides(array: CoreArray, interface: dict[str, Any]) -> None:
    strides = interface.get("strides")
    if strides is None:
        array.flags |= C_CONTIGUOUS
        return
    if not _are_integers(strides) or not all(-LARGEST <= n <= LARGEST for n in strides):
        raise TypeError("the array's strides are no integers")
    if len(strides) != array.ndim:
        raise ValueError("the array's shape and strides differ in length")
    array.strides = (c_ssize_t * len(strides))(*strides)


def _set_stream(array: CoreArray, interface: dict[str, Any]) -> None:
    """Set the stream after which the contents are ready.

    An exporter that names none works on the legacy default stream: before version 3 none could
    name another, and since then PyCUDA and Numba say that nothing is left to wait for while a copy
    of theirs is still under way there.
    """
    version, stream = _entry(interface, "version"), interface.get("stream")
    if not is_unsigned(version):
        raise TypeError("the array's version is no number")
    if version < 3 or stream is None:
        stream = LEGACY_DEFAULT_STREAM
    if not is_unsigned(stream):
        raise TypeError("the array's stream is no handle")
    if stream == 0:
        raise ValueError("the array's stream is 0, which is ambiguous")
    array.flags |= READY
    array.ready = stream
