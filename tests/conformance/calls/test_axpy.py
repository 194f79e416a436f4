"""`axpy(a, x, y)`: y += a * x."""

import numpy as np
import pytest
from package import axpy, cuvec

DTYPES = ["float32", "float64"]
SIZES = [*range(71), 255, 256, 257, 1023, 4097]


def random(size, dtype, seed=0):
    return np.random.default_rng(seed).standard_normal(size).astype(dtype)


def assert_close(got, a, x, y):
    """Allow for one rounding of the product and one of the sum."""
    wide = np.float64 if x.dtype == np.float32 else np.longdouble  # ten times slower
    product = wide(x.dtype.type(a)) * x.astype(wide)
    exact = product + y
    allowed = np.finfo(x.dtype).eps * (np.abs(product) + np.abs(exact))
    assert (np.abs(got - exact) <= allowed).all()


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_size_at_every_offset(dtype, memory):
    size = max(SIZES) + 16
    x = cuvec.asarray(random(size, dtype, 1), memory=memory)
    start = random(size, dtype, 2)
    y = cuvec.asarray(start, memory=memory)
    for n in SIZES:
        for offset in range(8):
            y[:] = start
            part = slice(offset, offset + n)
            other = slice(offset // 2, offset // 2 + n)
            assert axpy(1.5, x[other], y[part]) is None
            assert_close(np.array(y[part]), 1.5, np.array(x[other]), start[part])
            np.testing.assert_array_equal(y[:offset], start[:offset])
            np.testing.assert_array_equal(y[offset + n :], start[offset + n :])


@pytest.mark.parametrize("n", [1 << 16, (1 << 20) + 3, (1 << 22) + 1])
@pytest.mark.parametrize("dtype", DTYPES)
def test_many_elements(dtype, n):
    x, y = random(n, dtype, 1), random(n, dtype, 2)
    got = cuvec.asarray(y)
    axpy(-0.1, cuvec.asarray(x), got)
    assert_close(np.array(got), -0.1, x, y)


@pytest.mark.parametrize("shape", [(), (1,), (0,), (3, 0), (3, 5), (2, 3, 4), (1,) * 10])
@pytest.mark.parametrize("dtype", DTYPES)
def test_any_shape(dtype, shape):
    x, y = cuvec.full(shape, 3, dtype), cuvec.full(shape, 1, dtype)
    axpy(2, x, y)
    np.testing.assert_array_equal(y, np.full(shape, 7))
    np.testing.assert_array_equal(x, np.full(shape, 3))


@pytest.mark.parametrize("dtype", DTYPES)
def test_not_a_number_and_infinity(dtype):
    x = cuvec.asarray([1, np.nan, np.inf, -np.inf, 0, 1], dtype)
    y = cuvec.asarray([np.nan, 1, 1, np.inf, np.inf, 1], dtype)
    axpy(1, x, y)
    np.testing.assert_array_equal(y, [np.nan, np.nan, np.inf, np.nan, np.inf, 2])
    axpy(np.inf, cuvec.ones(6, dtype), y)
    assert not np.isfinite(y).any()


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_largest_and_smallest_values(dtype):
    info = np.finfo(dtype)
    x = cuvec.asarray([info.max, info.tiny, info.smallest_subnormal], dtype)
    y = cuvec.zeros(3, dtype)
    axpy(1, x, y)
    np.testing.assert_array_equal(y, x)
    axpy(1, x, y)
    np.testing.assert_array_equal(y, [np.inf, 2 * x[1], 2 * x[2]])


@pytest.mark.parametrize("a", [2, 2.0, np.float32(2), np.int64(2), True + True])
def test_the_factor_is_a_scalar(a):
    y = cuvec.zeros(3)
    axpy(a, cuvec.ones(3), y)
    np.testing.assert_array_equal(y, [2, 2, 2])


@pytest.mark.parametrize("dtype", DTYPES)
def test_equal_input_gives_equal_bits(dtype):
    x, start = random(100_003, dtype, 1), random(100_003, dtype, 2)
    results = []
    for convert in (cuvec.asarray, cuvec.asarray, np.array):
        y = convert(start)
        axpy(np.pi, convert(x), y)
        results.append(y.tobytes())
    assert results[0] == results[1] == results[2]


def test_rows_and_columns():
    x = cuvec.asarray(np.arange(12.0).reshape(3, 4))
    y = cuvec.zeros((3, 4), "f8")
    for i in range(3):
        axpy(i, x[i], y[i])
    np.testing.assert_array_equal(y, x * [[0], [1], [2]])


def test_keyword_names():
    y = cuvec.zeros(3)
    axpy(a=2, x=cuvec.ones(3), y=y, stream=None)
    assert y[0] == 2
