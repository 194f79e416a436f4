"""What goes wrong when GPU code is called through ctypes by hand, and does not here."""

import ctypes
import threading

import native
import numpy as np
import pytest
from native_modules import modules
from package import address, axpy, core, cuvec

HUGE = (1 << 32) + 4  # in 32 bits this is 4
LARGE = 1 << 24  # larger than what is taken from the heap, which may have addresses of 32 bits


def test_without_restype_a_pointer_loses_half_of_its_bits():
    x = cuvec.zeros(LARGE)
    memset = native.c_library["memset"]  # returns its first argument
    memset.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t)
    assert memset(x.ptr, 0, 1) == ctypes.c_int(x.ptr).value != x.ptr
    memset.restype = ctypes.c_void_p
    assert memset(x.ptr, 0, 1) == x.ptr


def test_no_function_returns_what_could_be_truncated():
    returned = {name: function.restype for name, function in modules.library.declared.items()}
    assert returned.pop("core_error") is ctypes.c_char_p
    assert returned.pop("core_py_xla_handler") is ctypes.c_void_p
    assert set(returned.values()) == {ctypes.c_int32, ctypes.py_object, None}


def test_addresses_keep_all_their_bits():
    x = cuvec.zeros(LARGE)
    assert x.ptr > 1 << 32
    assert address(x) == x.ptr
    assert x.cuvec.ptr == x.ptr


def test_ctypes_pointers_cannot_be_moved_and_ours_can():
    x = cuvec.asarray(np.arange(6.0))
    pointer = x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    for wrong in (lambda: pointer + 2, lambda: pointer * 2, lambda: x.pointer() * 2):
        with pytest.raises(TypeError):
            wrong()
    assert (x.pointer() + 2)[0] == 2


def test_c_gets_the_address_of_the_element_that_was_meant():
    x = cuvec.zeros(6, "int32")
    ctypes.memset(x.pointer() + 2, 0xFF, 4)
    ctypes.memset(x.ptr + 2, 0x01, 1)  # a number counts bytes: this is within the first element
    np.testing.assert_array_equal(x, [1 << 16, 0, -1, 0, 0, 0])


def test_slices_pass_the_address_of_their_first_element():
    x, y = cuvec.ones(6), cuvec.zeros(6)
    axpy(1, x[2:4], y[4:])
    np.testing.assert_array_equal(y, [0, 0, 0, 0, 1, 1])
    assert address(x[2:]) == x.ptr + 2 * x.itemsize


@pytest.mark.parametrize(
    "pointer",
    [
        lambda x: x.ptr,
        lambda x: ctypes.c_void_p(x.ptr),
        lambda x: ctypes.cast(x.ptr, ctypes.POINTER(ctypes.c_float)),
    ],
    ids=["int", "c_void_p", "POINTER"],
)
def test_an_address_alone_is_no_array(pointer):
    """It does not say whose memory it is, nor how much: on the host a GPU's address crashes."""
    x, y = cuvec.full(99, 2, "i4").view("f4"), cuvec.full(99, 2, "i4").view("f4")
    with pytest.raises(TypeError, match="array"):
        axpy(1, pointer(x), y)
    with pytest.raises(TypeError, match="array"):
        axpy(1, x, pointer(y))


def test_what_ctypes_itself_makes_of_numbers_that_do_not_fit():
    assert ctypes.c_int(HUGE).value == 4
    assert ctypes.c_uint64(-1).value == (1 << 64) - 1


def test_sizes_of_more_than_32_bits_arrive_whole():
    x, y = np.broadcast_to(np.float32(1), HUGE), cuvec.zeros(4)
    with pytest.raises(ValueError, match=f"shape, not .{HUGE},. and .4,."):
        core.assign(x, y)
    with pytest.raises(ValueError, match=f"shape, not .4,. and .{HUGE},."):
        core.assign(y, np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (HUGE,), (0,)))


@pytest.mark.parametrize("wrap", [1 << 32, 1 << 64])
def test_numbers_are_not_taken_modulo_anything(wrap):
    x = cuvec.zeros(4)
    for offset, nbytes in ((wrap, 4), (0, wrap + 4), (-4, 4), (4, -wrap)):
        with pytest.raises(ValueError, match=r"range|from"):
            x.cuvec.prefetch("device", offset, nbytes)
    with pytest.raises(ValueError, match=str(wrap)):
        core.dev_set(wrap)
    with pytest.raises((ValueError, MemoryError)):
        core.Buffer(((wrap << 24) + 4,), "|u1", "managed", False)


def test_text_is_not_cut_off_at_a_null():
    with pytest.raises(ValueError, match="null"):
        cuvec.zeros(4).cuvec.prefetch("device\0nonsense", 0, 4)


def test_streams_that_do_not_fit_are_refused():
    for stream in (-1, 1 << 64):
        with pytest.raises(ValueError, match="stream"):
            axpy(1, cuvec.zeros(4), cuvec.ones(4), stream=stream)


def test_messages_belong_to_the_thread_that_failed():
    messages = {}

    def fail(size):
        with pytest.raises(ValueError, match="shape"):
            core.assign(cuvec.zeros(size), cuvec.zeros(1))
        barrier.wait()  # both have failed
        messages[size] = modules.library.declared["core_error"]().decode()

    barrier = threading.Barrier(2)
    threads = [threading.Thread(target=fail, args=(size,)) for size in (3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(f"({size},)" in messages[size] for size in (3, 4))


def test_errors_of_arguments_are_not_ctypes_own():
    x, y = cuvec.ones(4), cuvec.zeros(4)
    cases = ((("2", x, y), TypeError), ((1, None, y), TypeError), ((1, x, y[::2]), ValueError))
    for arguments, error in cases:
        with pytest.raises(error) as raised:
            axpy(*arguments)
        assert type(raised.value) is error
        assert "argument" not in str(raised.value)
    axpy(1, x, y)  # and the next call knows nothing of them
