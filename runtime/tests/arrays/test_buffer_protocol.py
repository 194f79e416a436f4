"""The buffer protocol of `Buffer`, requested in C: a view has the fields that its flags ask for."""

import ctypes

import pytest
from package import core


class View(ctypes.Structure):
    """`Py_buffer`"""

    _fields_ = (
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)),
        ("internal", ctypes.c_void_p),
    )


SIMPLE, WRITABLE, FORMAT, ND, STRIDES = 0, 1, 4, 8, 0x18
C_CONTIGUOUS, INDIRECT = 0x38, 0x118


@pytest.mark.parametrize(
    ("flags", "fields"),
    [
        (SIMPLE, ""),
        (WRITABLE, ""),
        (FORMAT, "format"),
        (ND, "shape"),
        (STRIDES, "shape strides"),
        (C_CONTIGUOUS, "shape strides"),
        (INDIRECT | FORMAT | WRITABLE, "format shape strides"),
    ],
)
def test_a_view_has_the_requested_fields(flags, fields):
    buffer = core.Buffer((2, 3), "<i2", "managed", True)
    view = View()
    api = ctypes.pythonapi
    assert api.PyObject_GetBuffer(ctypes.py_object(buffer), ctypes.byref(view), flags) == 0
    try:
        assert (view.buf, view.obj) == (buffer.ptr, id(buffer))
        assert (view.len, view.itemsize, view.readonly, view.ndim) == (12, 2, 0, 2)
        pointers = ("format", "shape", "strides", "suboffsets")
        assert [name for name in pointers if getattr(view, name)] == fields.split()
        assert view.format in (None, b"h")
        if view.strides:
            assert (view.shape[:2], view.strides[:2]) == ([2, 3], [6, 2])
    finally:
        api.PyBuffer_Release(ctypes.byref(view))
