"""Results of functions: new arrays, scalars, tuples of them, and `out`."""

import array
import ctypes
import math

import exporters
import numpy as np
import pytest
from package import (
    axpy,
    choose,
    cuvec,
    dot,
    fail,
    first,
    gather,
    gemv,
    histogram,
    iota,
    module,
    pieces,
    ramp,
    smooth,
    spin,
)

DTYPES = "?bBhHiIqQefdFD"


def is_new(result, shape, dtype):
    return (type(result), result.memory, result.shape, result.dtype) == (
        cuvec.CuVec,
        "managed",
        shape,
        np.dtype(dtype),
    )


def test_a_function_without_results_returns_none():
    assert axpy(1, cuvec.ones(3), cuvec.ones(3)) is None


@pytest.mark.parametrize("dtype", "fdFD")
def test_a_new_array(dtype):
    a, x = np.arange(6, dtype=dtype).reshape(2, 3), np.arange(3, dtype=dtype)
    result, again = gemv(a, x), gemv(cuvec.asarray(a), cuvec.asarray(x))
    assert is_new(result, (2,), dtype)
    assert not np.shares_memory(result, again)
    for it in (result, again):
        np.testing.assert_array_equal(it, a @ x - 0.5)
    assert result.flags.writeable
    assert result.flags.owndata is False  # a CuVec over its whole block
    assert result.ptr == result.cuvec.ptr


@pytest.mark.parametrize("shape", [(), (1,), (0,), (3, 0), (2, 3, 4), (1,) * 9])
@pytest.mark.parametrize("dtype", "?Bhe")
def test_a_new_array_of_any_shape(shape, dtype):
    x, y = cuvec.full(shape, 1, dtype), cuvec.full(shape, 0, dtype)
    mask = cuvec.asarray(np.arange(x.size).reshape(shape) % 2 == 0)
    result = choose(mask, x, y)
    assert is_new(result, shape, dtype)
    np.testing.assert_array_equal(result, np.where(mask, x, y))


def test_several_results():
    x = cuvec.asarray([1, 4, 9, 16, 25], "i4")
    result = pieces(x)
    assert type(result) is tuple
    less, more, half, size = result
    assert is_new(less, (4,), "i4")
    assert is_new(more, (11,), "i4")
    assert is_new(half, (2,), "i4")
    assert (type(size), size) == (int, 5)
    np.testing.assert_array_equal(less, [3, 5, 7, 9])
    np.testing.assert_array_equal(more, [1, 4, 9, 16, 25, -5, -6, -7, -8, -9, -10])
    np.testing.assert_array_equal(half, [1, 9])


def test_results_of_functions_without_arrays():
    assert is_new(iota(1000, start=5, step=2), (1000,), "i8")
    np.testing.assert_array_equal(iota(1000, start=5, step=2), np.arange(5, 2005, 2))
    assert is_new(iota(0, start=0), (0,), "i8")


def test_results_of_functions_without_arguments():
    assert is_new(ramp(), (5,), "f4")
    np.testing.assert_array_equal(ramp(), [0, 1, 2, 3, 4])
    y = cuvec.zeros(5, "f4")
    assert ramp(out=y) is y
    np.testing.assert_array_equal(y, [0, 1, 2, 3, 4])


KINDS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_scalar_result_is_a_python_scalar(dtype):
    result = first(cuvec.ones(3, dtype))
    assert type(result) is KINDS[np.dtype(dtype).kind]
    assert result == 1
    assert first(cuvec.zeros(3, dtype)) == first(cuvec.zeros(0, dtype)) == 0


@pytest.mark.parametrize("dtype", "bBhHiIqQ")
def test_integers_of_the_whole_range_are_returned(dtype):
    for value in (np.iinfo(dtype).min, np.iinfo(dtype).max):
        assert first(np.array([value], dtype)) == value


@pytest.mark.parametrize("dtype", "efd")
def test_floats_of_the_whole_range_are_returned(dtype):
    info = np.finfo(dtype)
    edges = (info.max, info.min, info.tiny, info.smallest_subnormal, info.eps, 0.1, np.inf)
    for value in map(np.dtype(dtype).type, edges):
        assert first(value.reshape(1)) == first(-value.reshape(1)) * -1 == float(value)
    assert math.isnan(first(np.full(1, np.nan, dtype)))
    assert math.copysign(1, first(np.full(1, -0.0, dtype))) == -1


@pytest.mark.parametrize("dtype", "FD")
def test_complex_numbers_are_returned(dtype):
    for value in (1 + 2j, -1.5j, complex(np.inf, -0.0)):
        assert first(np.array([value], dtype)) == value


# how to make an array of zeros for `out`
OUTS = {
    "cuvec": cuvec.zeros,
    "pinned": lambda n: cuvec.zeros(n, memory="pinned"),
    "slice": lambda n: cuvec.zeros(n + 2)[1:-1],
    "numpy": lambda n: np.zeros(n, "f4"),
    "buffer": lambda n: cuvec.zeros(n).cuvec,
    "array.array": lambda n: array.array("f", [0] * n),
    "ctypes": lambda n: (ctypes.c_float * n)(),
    "memoryview": lambda n: memoryview(bytearray(4 * n)).cast("f"),
    "dlpack": lambda n: exporters.Dlpack(cuvec.zeros(n)),
}


@pytest.mark.parametrize("kind", OUTS)
def test_out_is_written_and_returned_itself(kind):
    a, x, out = cuvec.ones((5, 3)), np.ones(3, "f4"), OUTS[kind](5)
    assert gemv(a, x, out=out) is out
    np.testing.assert_array_equal(np.array(getattr(out, "array", out)), [2.5] * 5)


@pytest.mark.parametrize("shape", [(), (4, 2), (1 << 16) + 3])
def test_out_of_any_shape(shape):
    x, out = cuvec.ones(shape), cuvec.zeros(shape)
    assert smooth(x, out=out) is out
    np.testing.assert_array_equal(out, x)


def test_out_of_a_scalar_result_is_a_0d_array():
    x = cuvec.full(3, 2, "f8")
    for out in (cuvec.zeros((), "f8"), np.zeros((), "f8"), cuvec.zeros(3, "f8")[1:2].reshape(())):
        assert dot(x, x, out=out) is out
        assert out == 12
    total = cuvec.zeros(5, "f8")
    for i in range(5):
        dot(x, x, out=total[i : i + 1].reshape(()))
    np.testing.assert_array_equal(total, [12] * 5)


def test_out_may_contain_none():
    x = cuvec.asarray([1, 4, 9, 16], "i4")
    plain = np.zeros(9, "i4")
    less, more, half, size = pieces(x, out=(None, plain, None, None))
    assert more is plain
    assert is_new(less, (3,), "i4")
    assert is_new(half, (2,), "i4")
    assert size == 4
    np.testing.assert_array_equal(plain, [1, 4, 9, 16, -4, -5, -6, -7, -8])
    outs = cuvec.zeros(3, "i4"), plain, cuvec.zeros(2, "i4"), cuvec.zeros((), "i8")
    results = pieces(x, out=outs)
    assert all(result is out for result, out in zip(results, outs, strict=True))
    np.testing.assert_array_equal(outs[0], [3, 5, 7])
    assert outs[3] == 4
    assert pieces(x, out=(None,) * 4)[3] == 4


def test_empty_arrays():
    assert gemv(cuvec.ones((0, 3)), cuvec.ones(3)).shape == (0,)
    np.testing.assert_array_equal(gemv(cuvec.ones((2, 0)), cuvec.ones(0)), [-0.5, -0.5])
    np.testing.assert_array_equal(histogram(cuvec.ones(0), 3), [0, 0, 0])
    assert histogram(cuvec.ones(3), 0).shape == (0,)
    assert dot(cuvec.ones(0), cuvec.ones(0)) == 0
    less, more, half, size = pieces(cuvec.full(1, 7, "i4"))
    assert (less.tolist(), more.tolist(), half.tolist(), size) == ([], [7, -1, -2], [], 1)


@pytest.mark.function("column_sums")
@pytest.mark.parametrize("rows", [0, 1, 5])
def test_without_blocks_nothing_is_launched(rows):
    x = np.arange(rows * 3, dtype="f4").reshape(rows, 3)
    for given in (x, cuvec.asarray(x)):
        np.testing.assert_array_equal(module.column_sums(given), x.sum(0))


@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (0, 0)])
def test_empty_batches_run_no_body(shape):
    """Empty loops and leading dimensions: functions that fail in each call do not."""
    fail(3, cuvec.zeros(shape, "i4"))
    x, index = cuvec.ones((*shape, 2)), cuvec.full((*shape, 1), 9, "i8")
    assert gather(x, index).shape == (*shape, 1)
    with pytest.raises(RuntimeError):
        gather(cuvec.ones((1, 2)), cuvec.full((1, 1), 9, "i8"))


def test_a_body_does_not_run_if_nothing_is_written():
    assert fail(3, cuvec.zeros(0, "i4")) is None
    with pytest.raises(RuntimeError):
        fail(3, cuvec.zeros(1, "i4"))


@pytest.mark.usefixtures("no_garbage")
def test_results_free_their_memory():
    x = cuvec.ones((300, 300))
    used = cuvec.memory_stats().used
    result = gemv(x, x[0])
    part = result[1:3]
    assert cuvec.memory_stats().used > used
    del result
    assert cuvec.memory_stats().used > used
    np.testing.assert_array_equal(part, [299.5, 299.5])
    del part
    assert cuvec.memory_stats().used == used


@pytest.mark.usefixtures("no_garbage")
def test_calls_leak_no_memory():
    x = cuvec.ones(1000)
    for call in (lambda: smooth(x), lambda: dot(x, x), lambda: smooth(x, out=np.ones(1000, "f4"))):
        call()
        before = cuvec.memory_stats()
        for _ in range(100):
            call()
        assert cuvec.memory_stats() == before


def test_a_scalar_result_without_arrays():
    assert type(spin(0.0)) is float


@pytest.mark.gpu
def test_results_are_on_the_device_of_the_arguments():
    for x in (cuvec.ones(3), np.ones(3, "f4")):
        assert smooth(x).cuvec.device == cuvec.device().index
    assert iota(3, start=0).cuvec.device == cuvec.device().index
