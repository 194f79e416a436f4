"""Other exporters of the buffer protocol: `array.array`, `memoryview`, `bytearray`, …"""

from ctypes import POINTER, PYFUNCTYPE, byref, c_char, c_int, py_object, pythonapi
from typing import Any

from .library import function
from .parameters import Text, UInt64
from .structs import C_CONTIGUOUS, WRITABLE, CoreArray, CorePyBuffer

FULL_READ_ONLY = 0x11C  # PyBUF_FULL_RO

has_buffer = PYFUNCTYPE(c_int, py_object)(("PyObject_CheckBuffer", pythonapi))
_get = PYFUNCTYPE(c_int, py_object, POINTER(CorePyBuffer), c_int)(("PyObject_GetBuffer", pythonapi))
_release = PYFUNCTYPE(None, POINTER(CorePyBuffer))(("PyBuffer_Release", pythonapi))
_is_contiguous = PYFUNCTYPE(c_int, POINTER(CorePyBuffer), c_char)(
    ("PyBuffer_IsContiguous", pythonapi)
)
_array_of = function("core_dtype_of_format", Text, UInt64, results=(CoreArray,))


class View:
    """What an object exports, until this one is gone."""

    def __init__(self, exporter: Any) -> None:
        self.buffer = CorePyBuffer()
        _get(exporter, byref(self.buffer), FULL_READ_ONLY)

    def __del__(self) -> None:
        _release(byref(self.buffer))  # does nothing to one that was never filled in


def read_buffer_protocol(exporter: Any) -> CoreArray:
    """Read an array that has the buffer protocol."""
    view = View(exporter)
    buffer = view.buffer
    array: CoreArray = _array_of((buffer.format or b"B").decode(), buffer.itemsize)
    array.view = view
    array.ndim = buffer.ndim
    array.shape, array.strides, array.data = buffer.shape, buffer.strides, buffer.buf
    if _is_contiguous(byref(buffer), b"C"):
        array.flags |= C_CONTIGUOUS
    if not buffer.readonly:
        array.flags |= WRITABLE
    return array
