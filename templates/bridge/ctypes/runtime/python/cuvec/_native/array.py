"""Array arguments: every kind of object that a function takes."""

import sys
from collections.abc import Callable
from ctypes import byref, py_object
from typing import Any

import numpy as np

from .buffer import Buffer
from .buffer_protocol import has_buffer, read_buffer_protocol
from .cuda_array_interface import find_interface, read_interface
from .cupy import see
from .dlpack import import_dlpack
from .errors import UnsupportedDTypeError
from .interpreter import builtin
from .library import with_gil

_trust = with_gil("core_py_trust", None, py_object)


def _borrow(value: Any, name: str, parameter: "Array") -> Any:
    """Borrow an array that is not NumPy's, whose arrays the library reads itself.

    Tries the interfaces from the cheapest to the dearest.

    DLPack comes before `__cuda_array_interface__`, because it also orders streams and owns its
    memory.
    """
    if isinstance(value, Buffer):
        return byref(value._struct.array)
    if issubclass(type(value), np.ndarray):
        return _borrow_subclass(value, parameter)
    if hasattr(value, "__dlpack__"):
        return parameter.from_param(value) if see(value) else import_dlpack(value)
    interface = find_interface(value)
    if interface is not None:
        return byref(read_interface(interface))
    if has_buffer(value):
        return byref(read_buffer_protocol(value))
    raise TypeError(
        f"{name} must be an array, not {type(value).__name__}; "
        f"pass numpy.asarray({name}) or cuvec.asarray({name})"
    )


def _borrow_subclass(value: Any, parameter: "Array") -> Any:
    """Borrow an array of a subclass of NumPy's, and remember that these are what they seem to be."""
    masked = sys.modules.get("numpy.ma")  # there are none before
    if masked is not None and isinstance(value, masked.MaskedArray):
        raise ValueError("masked arrays are not supported; pass what .filled(...) of it returns")
    if not isinstance(_owner_of(value), Buffer) and find_interface(value) is not None:
        return import_dlpack(value)  # of another package
    _trust(type(value))
    return parameter.from_param(np.ndarray.view(value, np.ndarray))


def _owner_of(value: Any) -> Any:
    """Return the object whose memory an array has, through all arrays that it is a view of."""
    while isinstance(value, np.ndarray):
        value = value.base
    return value


class Array:
    """A ``const core_array *``: any object that is an array, borrowed for a call.

    For the `argtypes` of a C function. ctypes keeps what `from_param` returns until the function
    has returned, and with it what the object has lent.

    Parameters
    ----------
    name : str
        What messages call it.
    """

    from_param: Callable[[Any], Any]

    def __init__(self, name: str) -> None:
        def borrow(value: Any) -> Any:
            try:
                return _borrow(value, name, self)
            except UnsupportedDTypeError as error:
                raise TypeError(f"{name}: {error}") from None

        self.from_param = builtin("core_py_array", borrow)
