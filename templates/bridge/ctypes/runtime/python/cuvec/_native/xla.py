"""What XLA calls."""

from ctypes import c_int32, c_void_p

from .library import with_gil

_handler = with_gil("core_py_xla_handler", c_void_p, c_int32, c_void_p)


def xla_handler(on_gpu: bool, other: int) -> int:
    """Return the address of what XLA calls for all functions; what it cannot do it leaves to `other`."""
    address: int = _handler(on_gpu, other)
    return address
