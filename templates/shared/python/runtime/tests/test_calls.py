"""How the functions read their arguments, and what a view of a `Buffer` holds, asked in C."""

import ctypes

import pytest
from package import address, axpy, core, cuvec


def ones():
    return cuvec.ones(3)


@pytest.mark.parametrize(
    ("arguments", "named", "why"),
    [
        ((), {}, r"axpy\(\) missing required argument 'a'"),
        ((1,), {"y": 1}, r"axpy\(\) missing required argument 'x'"),
        ((1, 2, 3, 4), {}, r"axpy\(\) takes 3 arguments by position, not 4"),
        ((1, 2, 3), {"x": 2}, r"axpy\(\) got multiple values for argument 'x'"),
        ((1, 2), {"y": 3, "größe": 4}, r"axpy\(\) got an unexpected keyword argument 'größe'"),
        ((1, 2, 3), {"strea": None}, r"axpy\(\) got an unexpected keyword argument 'strea'"),
        ((1, 2, 3), {"streams": None}, r"axpy\(\) got an unexpected keyword argument 'streams'"),
    ],
)
def test_calls_that_match_no_signature(arguments, named, why):
    with pytest.raises(TypeError, match=why):
        axpy(*arguments, **named)


@pytest.mark.parametrize("positional", range(4))
def test_arguments_by_position_and_by_name(positional):
    x, y = ones(), ones()
    values = {"a": 2, "x": x, "y": y}
    by_position = [values.pop(name) for name in list(values)[:positional]]
    axpy(*by_position, stream=None, **dict(reversed(values.items())))
    assert y.tolist() == [3] * 3


def test_names_need_not_be_the_same_object():
    x = ones()
    assert address(**{"xx"[:1]: x}) == x.ptr


def test_numbers_are_what_python_takes_for_one():
    class Two:
        def __float__(self):
            return 2.0

    for two in (2, 2.0, True + 1, Two(), cuvec.full(1, 2)[0]):
        y = ones()
        axpy(two, ones(), y)
        assert y.tolist() == [3] * 3
    with pytest.raises(OverflowError):
        axpy(10**400, ones(), ones())


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
