"""Array arguments: every kind of object that a function takes."""

from ctypes import byref
from typing import Any

from .buffer import Buffer
from .buffer_protocol import has_buffer, read_buffer_protocol
from .cuda_array_interface import find_interface, read_interface
from .dlpack import import_dlpack
from .interpreter import builtin


def _borrow(value: Any) -> Any:
    """Borrow an array that is not NumPy's, whose arrays the library reads itself.

    Tries the interfaces from the cheapest to the dearest.

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


class Array:
    """A ``const core_array *``: any object that is an array, borrowed for a call.

    For the `argtypes` of a C function. ctypes keeps what `from_param` returns until the function
    has returned, and with it what the object has lent.
    """

    from_param = builtin("core_py_array", _borrow)
