"""The block of memory under an array, `arr.cuvec`, and the buffer protocol, from Python and from C."""

import ctypes
import gc
import struct

import numpy as np
import pytest
from package import core, cuvec

DTYPES = "?bBhHiIqQefdFD"


def test_every_view_has_the_buffer_of_its_array():
    x = cuvec.ones((4, 6), "int16")
    assert isinstance(x.cuvec, core.Buffer)
    views = (x[1:], x.T[2:, ::-1], x.view("u1"), np.asarray(x).view(cuvec.CuVec), x[1:].reshape(-1))
    assert all(view.cuvec is x.cuvec for view in views)


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_buffer_describes_the_array_it_was_made_for(dtype, memory):
    x = cuvec.zeros((2, 3), dtype, memory)
    block = x.cuvec
    assert (block.shape, block.typestr, block.memory) == ((2, 3), x.dtype.str, memory)
    assert (block.nbytes, block.ptr) == (x.nbytes, x.ptr)
    assert block.device == cuvec.device().index


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3), (2, 3, 4)])
def test_memoryview_of_a_buffer(shape, dtype):
    x = cuvec.full(shape, 1, dtype)
    view = memoryview(x.cuvec)
    assert (view.shape, view.ndim, view.itemsize) == (shape, len(shape), x.itemsize)
    reals = view.format.count("Z") + 1  # "Zf" is a complex of two "f"; `struct` does not know it
    assert struct.calcsize(view.format.replace("Z", "")) * reals == x.itemsize
    assert (view.nbytes, view.readonly, view.c_contiguous) == (x.nbytes, False, True)
    assert view.tobytes() == x.tobytes()
    assert np.asarray(x.cuvec).dtype == x.dtype


def test_writing_through_the_buffer_protocol():
    x = cuvec.zeros(3, "int32")
    memoryview(x.cuvec)[1] = 5
    memoryview(x)[2] = 6
    np.asarray(x.cuvec)[0] = 4
    np.testing.assert_array_equal(x, [4, 5, 6])


def test_a_memoryview_keeps_the_memory_alive():
    view = memoryview(cuvec.full(1000, 7, "u1").cuvec)
    gc.collect()
    cuvec.zeros(1000, "u1")
    assert view.tobytes() == b"\7" * 1000


def test_a_simple_buffer_is_bytes():
    x = cuvec.asarray(np.arange(6, dtype="u2").reshape(2, 3))
    assert bytes(x.cuvec) == x.tobytes()
    assert struct.unpack_from("=6H", x.cuvec) == (0, 1, 2, 3, 4, 5)


def test_a_file_reads_into_the_memory(tmp_path):
    path = tmp_path / "numbers"
    path.write_bytes(np.arange(5.0).tobytes())
    x = cuvec.zeros(5, "f8")
    with path.open("rb") as file:
        assert file.readinto(x.cuvec) == 40
    np.testing.assert_array_equal(x, np.arange(5.0))


def test_buffers_are_not_subclassed():
    with pytest.raises(TypeError):
        type("Sub", (core.Buffer,), {})


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (((-1,), "<f4", "managed", True), ValueError),
        (((1 << 62,), "<f4", "managed", True), ValueError),
        (((1 << 50,), "<f4", "managed", True), MemoryError),
        (((3,), "<f4", "moon", True), ValueError),
        (((3,), ">f4", "managed", True), TypeError),
        (((3,), "<c32", "managed", True), TypeError),
        (((3.5,), "<f4", "managed", True), TypeError),
        ((3, "<f4", "managed", True), TypeError),
        ((), TypeError),
    ],
)
def test_invalid_arguments_are_refused(arguments, error):
    with pytest.raises(error):
        core.Buffer(*arguments)


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
