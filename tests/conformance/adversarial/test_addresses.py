"""Addresses and integers: neither truncated, nor taken for arrays or memory that they do not tell."""

import ctypes

import numpy as np
import pytest
from package import address, axpy, core, cuvec, dot, module

HUGE = (1 << 32) + 4  # in 32 bits this is 4
LARGE = 1 << 24  # more than malloc takes from the heap, whose addresses may have 32 bits


def test_addresses_have_64_bits():
    x = cuvec.zeros(LARGE)
    assert x.ptr > 1 << 32
    assert address(x) == x.ptr == x.cuvec.ptr
    assert address(x[2:]) == x.ptr + 2 * x.itemsize


def test_sizes_have_64_bits():
    x, y = np.broadcast_to(np.float32(1), HUGE), cuvec.zeros(4)
    with pytest.raises(ValueError, match=f"shape, not .{HUGE},. and .4,."):
        core.assign(x, y)
    with pytest.raises(ValueError, match=f"shape, not .4,. and .{HUGE},."):
        core.assign(y, np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (HUGE,), (0,)))


@pytest.mark.parametrize("wrap", [1 << 32, 1 << 64])
def test_integers_are_not_taken_modulo_anything(wrap):
    x = cuvec.zeros(4)
    for offset, nbytes in ((wrap, 4), (0, wrap + 4), (-4, 4), (4, -wrap)):
        with pytest.raises((ValueError, OverflowError)):
            x.cuvec.prefetch("device", offset, nbytes)
    with pytest.raises((ValueError, OverflowError)):
        core.dev_set(wrap)
    with pytest.raises((ValueError, OverflowError, MemoryError)):
        core.Buffer(((wrap << 24) + 4,), "|u1", "managed", False)


def test_text_is_not_cut_off_at_a_null():
    with pytest.raises(ValueError, match=r"null|device"):
        cuvec.zeros(4).cuvec.prefetch("device\0nonsense", 0, 4)
    with pytest.raises(ValueError, match=r"null|managed"):
        core.Buffer((4,), "<f4", "managed\0nonsense", False)
    with pytest.raises((ValueError, TypeError)):
        core.Buffer((4,), "<f4\0", "managed", False)


@pytest.mark.parametrize("stream", [-1, 1 << 64, -(1 << 64)])
def test_streams_that_do_not_fit_are_refused(stream):
    with pytest.raises((ValueError, TypeError, OverflowError), match=r"stream|int|convert"):
        axpy(1, cuvec.zeros(4), cuvec.ones(4), stream=stream)


@pytest.mark.parametrize("answer", [5, (), (0, 1, 2), [0, 1], ("0", 1), (-1, 1)], ids=repr)
def test_a_stream_that_answers_with_no_handle_is_refused(answer):
    other = type("Other", (), {"__cuda_stream__": lambda _self: answer})()
    with pytest.raises(TypeError, match=r"^__cuda_stream__ must return a version and a handle$"):
        axpy(1, cuvec.ones(3), cuvec.ones(3), stream=other)


@pytest.mark.parametrize(
    "pointer",
    [
        lambda x: x.ptr,
        lambda x: ctypes.c_void_p(x.ptr),
        lambda x: ctypes.cast(x.ptr, ctypes.POINTER(ctypes.c_float)),
    ],
    ids=["int", "c_void_p", "POINTER"],
)
def test_an_address_is_not_an_array(pointer):
    """It tells neither whose memory it is nor how much."""
    x, y = cuvec.full(99, 2, "i4").view("f4"), cuvec.full(99, 2, "i4").view("f4")
    with pytest.raises(TypeError, match="array"):
        axpy(1, pointer(x), y)
    with pytest.raises(TypeError, match="array"):
        axpy(1, x, pointer(y))


class Lying(np.ndarray):
    """An array whose attributes describe another one, which is gone."""

    @property
    def __array_struct__(self):
        return np.full(1000, 7.0).__array_struct__

    @property
    def __array_interface__(self):
        return np.full(1000, 7.0).__array_interface__

    shape = property(lambda _: (1000,))
    strides = property(lambda _: (8,))
    dtype = property(lambda _: np.dtype("f4"))


def test_attributes_of_a_subclass_do_not_describe_its_memory():
    x = np.ones(4).view(Lying)
    assert dot(x, np.ones(4)) == 4
    axpy(2, np.ones(4), x)
    np.testing.assert_array_equal(x.view(np.ndarray), np.full(4, 3.0))


class Disguised:
    """Not an array of NumPy, though its class claims it."""

    __class__ = np.ndarray


def test_a_claimed_class_is_not_believed():
    with pytest.raises(TypeError, match="x must be an array"):
        dot(Disguised(), np.ones(4))


def test_a_buffer_without_memory_is_refused():
    for make in (core.Buffer.__new__, object.__new__):
        try:
            block = make(core.Buffer)
        except TypeError:
            continue
        for use in (memoryview, lambda it: dot(it, it), lambda it: it.shape, core.Buffer.wait):
            with pytest.raises((TypeError, ValueError, BufferError, SystemError)):
                use(block)


@pytest.mark.parametrize(
    ("source", "cls", "memory"),
    [
        (np.full(3, None), cuvec.CuVec, "managed"),
        (np.zeros(3, [("a", "O")]), cuvec.CuVec, "managed"),
        (np.zeros(3), np.ndarray, "managed"),
        (np.zeros(3), 7, "managed"),
        ([1, 2], cuvec.CuVec, "managed"),
    ],
)
def test_pickles_of_other_objects_are_refused(source, cls, memory):
    with pytest.raises(TypeError):
        module.cuvec.copying.restore(source, cls, memory)


def test_no_function_takes_an_integer_for_an_array(run_python):
    """All native functions and methods, called with integers, raise exceptions and nothing worse."""
    code = """
    import contextlib
    import itertools
    from package import core, cuvec

    block = cuvec.ones(4).cuvec
    numbers = [0, 1, 8, 2**47, 2**64 - 8, -1]
    functions = [getattr(core, name) for name in dir(core) if not name.startswith("__")]
    functions += [getattr(block, name) for name in dir(block) if not name.startswith("__")]
    for function in filter(callable, functions):
        for count in range(5):
            for arguments in itertools.product(numbers, repeat=min(count, 3)):
                with contextlib.suppress(Exception):
                    function(*arguments, *[7] * (count - 3))
    print(cuvec.ones(4).sum())
    """
    assert run_python(code) == "4.0"


@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_a_kernel_sees_the_address_that_python_sees(memory):
    x = cuvec.zeros((4, 6), memory=memory)
    for view in (x, x[1:3], x[2, 3:], x.reshape(-1)[5:]):
        assert address(view) == view.ptr == int(view.pointer())
    assert address(x.cuvec) == x.cuvec.ptr == x.ptr


def test_addresses_of_slices_count_bytes():
    x = cuvec.zeros((4, 6), "float64")
    assert x[1, 2:].ptr == x.ptr + (6 + 2) * 8
    assert x[::-1].ptr == x.ptr + 3 * 6 * 8


@pytest.mark.gpu
def test_kernels_see_a_copy_of_plain_arrays():
    x = np.zeros(3, "f4")
    assert address(x) not in (0, x.ctypes.data)


@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_arrays_of_every_dtype(dtype):
    x = cuvec.zeros(3, dtype)
    assert address(x) == x.ptr
