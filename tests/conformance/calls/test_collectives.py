"""Collective operations: reductions of warps and blocks, folds with an index and of several results, scans,
atomic changes, and stencils of one and three dimensions."""

import numpy as np
import package
import pytest
from package import cuvec

pytestmark = pytest.mark.function("row_facts")

LENGTHS = [1, 2, 31, 33, 255, 257, 2048, 2049, 70_001]


def call(name, *arguments, **options):
    """Call a function of these tests, with arrays of the library, and return what NumPy makes of the results."""
    results = getattr(package.module, name)(*map(cuvec.asarray, arguments), **options)
    return [np.asarray(it) for it in results] if isinstance(results, tuple) else np.asarray(results)


def integers(dtype, *shape, low=-50, high=50):
    return np.random.default_rng(shape).integers(low, high, shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 31), (5, 32), (4, 300), (2, 5000), (3, 20_000)])
def test_rows(dtype, shape):
    x = integers(dtype, *shape, low=-3, high=shape[1])
    x[0] = np.abs(x[0]) + 1
    x[-1] -= x[-1].max()  # nothing is positive
    low, high, first, last, positive, some, every, sign = call("row_facts", x)
    np.testing.assert_array_equal(low, x.min(axis=1))
    np.testing.assert_array_equal(high, x.max(axis=1))
    np.testing.assert_array_equal(first, x.argmin(axis=1))
    np.testing.assert_array_equal(last, x.argmax(axis=1))
    np.testing.assert_array_equal(positive, (x > 0).sum(axis=1))
    np.testing.assert_array_equal(some, (x > 0).any(axis=1))
    np.testing.assert_array_equal(every, (x > 0).all(axis=1))
    np.testing.assert_array_equal(sign, np.where(x < 0, -1, 1).prod(axis=1))


# The threads of a GPU load packs of some rows, and keep all packs of those that are short enough.
ROWS = [
    (1, 1),
    (7, 31),
    (5, 32),
    (3, 2, 257),
    (2, 5000),
    (3, 8192),
    (2, 8200),
    (2, 20_000),
    (2, 40_000),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [*ROWS, (4, 0), (0, 4)])
@pytest.mark.parametrize("first", [0, 1])
def test_rows_that_are_written_whole(dtype, shape, first):
    x = np.random.default_rng(shape).normal(3, 1, shape).astype(dtype)
    memory = cuvec.asarray(np.append(np.zeros(first, dtype), x))
    y, mean, largest, reverse = call("standardize", memory[first:].reshape(shape))
    with np.errstate(invalid="ignore"):  # of no elements
        expected = x.sum(-1) / np.asarray(shape[-1], dtype)
    middle = x - expected[..., None]
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(mean, expected, rtol=tolerance)
    np.testing.assert_allclose(
        largest, np.abs(middle).max(-1, initial=-np.inf), atol=10 * tolerance
    )
    if shape[-1] > 1:
        np.testing.assert_allclose(y, middle / largest[..., None], atol=10 * tolerance)
    np.testing.assert_array_equal(reverse, y[..., ::-1])


@pytest.mark.parametrize("n", [1, 33, 300])
def test_rows_of_arrays_with_strides(n):
    x = integers("float32", n, 3, 4).T
    y = cuvec.zeros((4, 3, 2 * n), "float32")
    z = cuvec.ones((4, 3, n + 5), "float32")
    m = package.module.centered(x, y[..., ::2], z[..., :n])
    np.testing.assert_allclose(m, x.mean(-1), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(y[..., ::2], x - np.asarray(m)[..., None])
    np.testing.assert_allclose(z[..., :n], x - x.min(-1, keepdims=True), rtol=1e-4, atol=1e-4)
    assert (np.asarray(y[..., 1::2]) == 0).all()
    assert (np.asarray(z[..., n:]) == 1).all()


@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("shape", [*ROWS, (4, 0), (0, 4)])
def test_scans_of_rows(dtype, shape):
    x = integers(dtype, *shape)
    sums, most, again, count = call("running_rows", x)
    np.testing.assert_array_equal(sums, x.cumsum(-1))
    np.testing.assert_array_equal(again, sums)
    np.testing.assert_array_equal(most, np.maximum.accumulate(x, axis=-1))
    assert (count == shape[-1]).all()


@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("shape", [*ROWS, (4, 0), (0, 4), (300, 64), (2, 6000)])
@pytest.mark.parametrize("length", [None, 1, 700])
@pytest.mark.parametrize("first", [0, 1])
def test_previous_elements_of_rows(dtype, shape, length, first):
    k = shape[-1] if length is None else length
    x, y, z = (integers(dtype, *shape[:-1], n) for n in (shape[-1], shape[-1], k))
    arrays = []
    for values in (x, y, z):
        memory = cuvec.asarray(np.append(np.zeros(first, dtype), values))
        arrays.append(memory[first:].reshape(values.shape))
    firsts = package.module.swap_rows(*arrays)
    np.testing.assert_array_equal(firsts, z[..., 0] if k else np.zeros(shape[:-1]))
    np.testing.assert_array_equal(arrays[1], x - x[..., :1])
    np.testing.assert_array_equal(arrays[2], (2 * z).cumsum(-1))
    if shape[-1]:
        less = y - y[..., :1]
        np.testing.assert_array_equal(arrays[0], less.max(-1, keepdims=True) - less)


@pytest.mark.parametrize("n", [1, 255, 70_001])
def test_one_row(n):
    x = integers("float64", n, low=1)
    y, total = call("shares", x)
    assert total == x.sum()
    np.testing.assert_array_equal(y, x / x.sum())


def test_rows_without_elements():
    low, high, first, last, positive, some, every, sign = call("row_facts", np.ones((2, 0)))
    np.testing.assert_array_equal([low, high], [[np.inf] * 2, [-np.inf] * 2])
    np.testing.assert_array_equal([first, last, positive, some], np.zeros((4, 2)))
    np.testing.assert_array_equal([every, sign], np.ones((2, 2)))


def test_what_is_not_a_number_is_the_extreme_of_a_row():
    x = np.arange(600.0).reshape(2, 300)
    x[0, 77] = x[0, 200] = x[1, 0] = np.nan
    low, high, first, last = call("row_facts", x)[:4]
    assert np.isnan([low, high]).all()
    assert [*first, *last] == [77, 0, 77, 0]


@pytest.mark.parametrize("dtype", ["int32", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("n", LENGTHS)
def test_argmax(dtype, n):
    x = integers(dtype, n)
    assert package.module.argmax(cuvec.asarray(x)) == x.argmax()  # the first of many
    x[n // 2] = 100
    assert package.module.argmax(cuvec.asarray(x)) == n // 2
    if x.dtype.kind == "f":
        x[:] = -np.inf
        assert package.module.argmax(cuvec.asarray(x)) == 0
        x[n // 3] = x[-1] = np.nan
        assert package.module.argmax(cuvec.asarray(x)) == n // 3


@pytest.mark.parametrize("n", LENGTHS)
def test_moments(n):
    x = np.random.default_rng(n).normal(1e4, 1, n)
    moments = package.module.moments(cuvec.asarray(x))
    np.testing.assert_allclose(moments.mean, x.mean(), rtol=1e-14)
    np.testing.assert_allclose(moments.variance, x.var(), rtol=1e-10)


@pytest.mark.parametrize("n", [0, *LENGTHS, 5_000_000])
def test_scans(n):
    x = integers("int64", n)
    np.testing.assert_array_equal(call("running", x), np.cumsum(x))
    x = integers("float64", n)  # of which all sums are exact
    np.testing.assert_array_equal(call("running", x), np.cumsum(x))
    x = integers("int32", n, low=-(2**31), high=2**31)
    y = cuvec.asarray(x.copy())
    package.module.running_max(y)
    np.testing.assert_array_equal(np.asarray(y), np.maximum.accumulate(x))


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
def test_atomic_changes(dtype):
    random = np.random.default_rng(4)
    index, value = (
        random.integers(0, 9, 5000),
        random.integers(0, 60, 5000).astype(dtype),
    )
    low, high = np.full(9, 7, dtype), np.full(9, 50, dtype)
    set_bits, kept = np.zeros(9, np.uint32), np.full(9, 2**64 - 1, np.uint64)
    expected = [it.copy() for it in (low, high, set_bits, kept)]
    np.minimum.at(expected[0], index, value)
    np.maximum.at(expected[1], index, value)
    np.bitwise_or.at(expected[2], index, np.uint32(1) << (value.astype(np.uint32) % 32))
    np.bitwise_and.at(expected[3], index, ~(np.uint64(1) << value.astype(np.uint64)))
    given = [cuvec.asarray(it) for it in (low, high, set_bits, kept)]
    package.module.marks(cuvec.asarray(index), cuvec.asarray(value), *given)
    for got, want in zip(given, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(got), want)


def test_an_atomic_change_to_what_is_not_a_number_remains():
    low, high = np.ones(1), np.ones(1)
    given = [
        cuvec.asarray(it) for it in (low, high, np.zeros(1, np.uint32), np.zeros(1, np.uint64))
    ]
    value = cuvec.asarray(np.array([2.0, np.nan, 0.5]))
    package.module.marks(cuvec.asarray(np.zeros(3, np.int64)), value, *given)
    assert np.isnan([given[0][0], given[1][0]]).all()


@pytest.mark.function("laplace")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (2, 3, 4), (5, 40, 33), (3, 1501, 1009)]
)  # of the last, threads have two elements
def test_stencils_of_one_and_three_dimensions(dtype, shape):
    line, cube = integers(dtype, shape[1] * 7), integers(dtype, *shape)
    got_line, got_cube = call("laplace", line, cube)
    np.testing.assert_array_equal(got_line, np.roll(line, 1) + np.roll(line, -1) - 2 * line)
    around = np.pad(cube, 1, mode="edge")
    expected = -6 * cube
    for axis in range(3):
        inner = [slice(1, -1)] * 3
        for part in (slice(None, -2), slice(2, None)):
            expected = expected + around[(*inner[:axis], part, *inner[axis + 1 :])]
    np.testing.assert_array_equal(got_cube, expected)


@pytest.mark.function("laplace")
def test_a_stencil_of_an_empty_array():
    line, cube = call("laplace", np.arange(5.0), np.zeros((2, 0, 3)))
    np.testing.assert_array_equal(line, [5, 0, 0, 0, -5])
    assert cube.shape == (2, 0, 3)
