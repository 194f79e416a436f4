"""How functions of the module read what they are given, and what a view of a `Buffer` holds, asked in C."""

import ctypes

import pytest
from package import core, cuvec, dot


@pytest.mark.parametrize("stream", ["1", 1.5, []])
def test_the_error_is_that_of_the_stream(stream):
    x = cuvec.ones(3)
    with pytest.raises(TypeError, match=r"^stream must be a CUDA stream's handle"):
        dot(x, x, stream=stream)


@pytest.mark.parametrize("index", [-1, 1 << 40, 1 << 100, -(1 << 100)])
@pytest.mark.gpu
def test_devices_that_are_none(index):
    with pytest.raises(ValueError, match="GPU"):
        core.dev_set(index)


def test_a_device_is_a_whole_number():
    for index in (0.0, "0", None):
        with pytest.raises(TypeError):
            core.dev_set(index)


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
    ("flags", "has"),
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
def test_a_view_has_what_was_asked_for(flags, has):
    buffer = core.Buffer((2, 3), "<i2", "managed", True)
    view = View()
    api = ctypes.pythonapi
    assert api.PyObject_GetBuffer(ctypes.py_object(buffer), ctypes.byref(view), flags) == 0
    try:
        assert (view.buf, view.obj) == (buffer.ptr, id(buffer))
        assert (view.len, view.itemsize, view.readonly, view.ndim) == (12, 2, 0, 2)
        pointers = ("format", "shape", "strides", "suboffsets")
        assert [name for name in pointers if getattr(view, name)] == has.split()
        assert view.format in (None, b"h")
        if view.strides:
            assert (view.shape[:2], view.strides[:2]) == ([2, 3], [6, 2])
    finally:
        api.PyBuffer_Release(ctypes.byref(view))
