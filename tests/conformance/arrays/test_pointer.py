"""`Pointer`: arithmetic in elements, and calls of C functions."""

import ctypes
import gc
import pickle

import native
import numpy as np
import pytest
from package import cuvec


@pytest.fixture
def p():
    return cuvec.asarray(np.arange(10, dtype="f4")).pointer()


@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_offsets_count_elements(dtype):
    x = cuvec.asarray([0, 1, 0, 1, 1], dtype)
    p = x.pointer()
    assert int(p) == x.ptr
    assert int(p + 2) == int(2 + p) == x.ptr + 2 * x.itemsize
    assert int(p + 4 - 3) == x.ptr + x.itemsize
    assert [p[i] for i in range(5)] == [0, 1, 0, 1, 1]
    assert p.dtype == x.dtype


def test_offsets_are_any_integers(p):
    assert p + np.int64(3) == np.int64(3) + p == p + 3
    assert p[np.uint8(3)] == 3


def test_distances_count_elements(p):
    q = p + 7
    assert (q - p, p - q, p - p) == (7, -7, 0)
    p += 2
    assert q - p == 5


def test_items_are_elements_of_the_array():
    x = cuvec.zeros(4)
    p = x.pointer() + 1
    p[2] = 5
    p[-1] = 3
    np.testing.assert_array_equal(x, [3, 0, 0, 5])
    assert (p[2], p[-1]) == (5, 3)


def test_pointers_of_slices_point_into_the_same_block():
    x = cuvec.asarray(np.arange(24, dtype="i4").reshape(4, 6))
    p, q = x.pointer(), x[2, 3:].pointer()
    assert q == p + 15
    assert (q - p, q[0], q[-1], q[8]) == (15, 15, 14, 23)
    assert x[1:3].pointer()[0] == 6
    assert x.reshape(-1)[5:].pointer() - p == 5


def test_order_within_a_block(p):
    q = p + 1
    assert p < q
    assert q > p
    assert p <= q - 1
    assert p >= q - 1
    assert p != q
    assert sorted([q, p]) == [p, q]


def test_equal_pointers_have_equal_hashes(p):
    assert p + 3 - 3 == p
    assert len({p, p + 3, p + 1 + 2}) == 2


@pytest.mark.parametrize("offset", [10, -1, 1 << 40, -(1 << 70)])
def test_items_out_of_the_block_are_refused(p, offset):
    with pytest.raises(IndexError):
        p[offset]
    with pytest.raises(IndexError):
        p[offset] = 1


def test_one_past_the_end_cannot_be_dereferenced(p):
    end = p + 10
    assert end - p == 10
    assert end[-1] == 9
    for offset in (11, -1, 1 << 70):
        with pytest.raises(IndexError, match="out of range"):
            p + offset
    with pytest.raises(IndexError, match="out of range"):
        p - 1


INVALID = {
    "p * 2": lambda p: p * 2,
    "2 * p": lambda p: 2 * p,
    "p / 2": lambda p: p / 2,
    "p // 2": lambda p: p // 2,
    "p % 2": lambda p: p % 2,
    "p & 1": lambda p: p & 1,
    "p << 1": lambda p: p << 1,
    "-p": lambda p: -p,
    "p + p": lambda p: p + p,
    "5 - p": lambda p: 5 - p,
    "p + 1.0": lambda p: p + 1.0,
    "p - 1.5": lambda p: p - 1.5,
    "p + '1'": lambda p: p + "1",
    "p + None": lambda p: p + None,
    "p + array": lambda p: p + np.arange(3),
    "array + p": lambda p: np.arange(3) + p,
    "np.int64 * p": lambda p: np.int64(2) * p,
    "np.float32 + p": lambda p: np.float32(2) + p,
    "p[1.0]": lambda p: p[1.0],
    "p[1:3]": lambda p: p[1:3],
    "p < 5": lambda p: p < 5,
    "float(p)": float,
    "len(p)": len,
    "iter(p)": iter,
    "a Pointer from an integer": lambda p: type(p)(int(p)),
}


@pytest.mark.parametrize("expression", INVALID.values(), ids=INVALID)
def test_invalid_expressions_are_type_errors(p, expression):
    with pytest.raises(TypeError):
        expression(p)


def test_dtypes_do_not_mix():
    x = cuvec.zeros(4)
    p, q = x.pointer(), x.view("i4").pointer()
    with pytest.raises(TypeError, match="int32"):
        p - q
    with pytest.raises(TypeError, match="int32"):
        p < q  # noqa: B015
    assert p != q
    assert int(p) == int(q)


def test_blocks_do_not_mix(p):
    q = cuvec.zeros(10).pointer()
    assert p != q
    with pytest.raises(ValueError, match="two blocks"):
        p - q
    with pytest.raises(ValueError, match="two blocks"):
        p < q  # noqa: B015


def test_pointers_a_fraction_of_an_element_apart():
    x = cuvec.zeros(9, "u1")
    p, q = x[:8].view("f4").pointer(), x[1:].view("f4").pointer()
    assert int(q) == int(p) + 1
    with pytest.raises(ValueError, match="whole number"):
        q - p
    with pytest.raises(IndexError):
        q[2]


def test_pointers_of_strided_arrays_are_refused():
    for x in (cuvec.zeros(6)[::2], cuvec.zeros((2, 3)).T):
        with pytest.raises(ValueError, match="contiguous"):
            x.pointer()


def test_pointers_of_read_only_arrays_do_not_write():
    x = cuvec.zeros(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x.pointer()[0] = 1


def test_pointers_of_arrays_without_elements():
    p = cuvec.zeros((0, 3)).pointer()
    assert p == p + 0
    with pytest.raises(IndexError):
        p[0]


@pytest.mark.usefixtures("no_garbage")
def test_a_pointer_keeps_the_memory_alive():
    before = cuvec.memory_stats().used
    p = cuvec.full(1000, 7).pointer() + 999
    gc.collect()
    cuvec.zeros(1000)
    assert p[0] == 7
    del p
    gc.collect()
    assert cuvec.memory_stats().used == before


def test_printing(p):
    assert repr(p + 3) == f"<Pointer to float32 at {int(p) + 12:#x}, element 3 of 10>"


def test_pointers_are_not_pickled(p):
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(p)


def memcpy(*argtypes):
    function = native.c_library["memcpy"]  # a new object each time
    function.restype = ctypes.c_void_p
    if argtypes:
        function.argtypes = argtypes
    return function


float_pointer = ctypes.POINTER(ctypes.c_float)


@pytest.mark.parametrize(
    "argtypes",
    [
        (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t),
        (float_pointer, float_pointer, ctypes.c_size_t),
    ],
    ids=["c_void_p", "POINTER(c_float)"],
)
def test_ctypes_functions_take_pointers(argtypes):
    x, y = cuvec.asarray(np.arange(6, dtype="f4")), cuvec.zeros(6)
    result = memcpy(*argtypes)(y.pointer() + 1, x.pointer() + 2, 3 * 4)
    assert result == y.ptr + 4
    np.testing.assert_array_equal(y, [0, 2, 3, 4, 0, 0])


def test_ctypes_functions_without_argument_types_take_pointers():
    x, y = cuvec.ones(6), cuvec.zeros(6)
    assert memcpy()(y.pointer(), x.pointer(), ctypes.c_size_t(8)) == y.ptr
    np.testing.assert_array_equal(y, [1, 1, 0, 0, 0, 0])


def test_ctypes_functions_refuse_pointers_to_other_types():
    x = cuvec.zeros(6, "f8")
    copy = memcpy(float_pointer, float_pointer, ctypes.c_size_t)
    with pytest.raises(ctypes.ArgumentError):
        copy(x.pointer(), x.pointer(), 8)


@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_ctypes_functions_take_pointers_to_every_dtype(dtype):
    x, y = cuvec.ones(3, dtype), cuvec.zeros(3, dtype)
    memcpy(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)(y.pointer(), x.pointer(), x.nbytes)
    np.testing.assert_array_equal(x, y)
