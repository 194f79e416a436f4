"""Array arguments: every kind of object that a function takes."""

from ctypes import byref, c_void_p, py_object
from typing import Any

import numpy as np

from .buffer import Buffer
from .buffer_protocol import has_buffer, read_buffer_protocol
from .cuda_array_interface import find_interface, read_interface
from .dlpack import import_dlpack
from .errors import hide
from .library import with_gil


class NumpyArray(c_void_p):
    """A NumPy array as a `core_array`; `owner` keeps that."""

    owner: object


_pointer = with_gil("core_py_array", NumpyArray, py_object)


class Array:
    """A ``const core_array *``: any object that is an array, borrowed for a call.

    For the `argtypes` of a C function. ctypes keeps what `from_param` returns until the function
    has returned, and with it what the object has lent.
    """

    @staticmethod
    def from_param(value: Any) -> Any:
        try:
            if isinstance(value, np.ndarray):
                capsule = value.__array_struct__
                array = _pointer(capsule)
                array.owner = capsule
                return array
            return _borrow(value)
        except Exception as error:
            hide(error)
            raise


def _borrow(value: Any) -> Any:
    """Try the interfaces from the cheapest to the dearest.

    DLPack comes before `__cuda_array_interface__`, because it also orders streams and owns its
    memory.
    """
    if isinstance(value, Buffer):
        return byref(value._struct.array)
    if hasattr(value, "__dlpack__"):
        return import_dlpack(value)
    interface = find_interface(value)
    if interface is not None:
        return byref(read_interface(interface))
    if has_buffer(value):
        return byref(read_buffer_protocol(value))
    raise TypeError(
        f"expected an array, not {type(value).__name__}; "
        "pass numpy.asarray(...) or cuvec.asarray(...) of it"
    )
