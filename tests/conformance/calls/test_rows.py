"""Functions that are said for a row, most in CUDA C++: one thread to all of a block share it, in registers or in passes."""

import numpy as np
import package
import pytest
from package import cuvec

# Elements of a row: fewer than a pack, threads of a part of a warp, of a warp, of a block and of a cluster, with packs that are full or
# not, in registers or not, and rows that begin or end in the middle of a pack where they are odd.
SIZES = [
    0,
    1,
    3,
    8,
    31,
    64,
    65,
    128,
    129,
    512,
    1000,
    1024,
    3072,
    4097,
    8192,
    16384,
    20000,
    33000,
    70001,
    140001,
]
ROWS = [1, 2, 5, 130]

pytestmark = pytest.mark.function("row_extremes")


def new(rng, shape, dtype):
    cuvec.zeros(0, dtype)  # gives NumPy the name
    return rng.integers(-9, 10, shape).astype(dtype)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def shapes():
    return [(rows, n) for n in SIZES for rows in ROWS if rows * n < 1_000_000]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64", "int32"])
def test_what_all_threads_agree_on(dtype, rng):
    for rows, n in shapes():
        x = new(rng, (rows, n), dtype)
        total, least, most, first, product = package.module.row_extremes(cuvec.asarray(x))
        wide = x.astype("f8")
        np.testing.assert_array_equal(total, wide.sum(1))
        np.testing.assert_array_equal(product, (-1.0) ** (wide > 0).sum(1))
        if n:
            np.testing.assert_array_equal(least.astype("f8"), wide.min(1))
            np.testing.assert_array_equal(most.astype("f8"), wide.max(1))
            np.testing.assert_array_equal(first, wide.argmax(1))
        else:
            np.testing.assert_array_equal(first, -1)


@pytest.mark.parametrize("n", [5, 100, 5000, 40000])
def test_what_is_not_a_number(n):
    x = np.zeros((3, n), "f4")
    x[1, n // 2] = x[2, n - 1] = np.nan
    total, least, most, first, _ = package.module.row_extremes(x)
    np.testing.assert_array_equal(first, x.argmax(1))
    for each in (total, least, most):
        np.testing.assert_array_equal(np.isnan(each), [False, True, True])


@pytest.mark.function("log_sum_exp")
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("n", SIZES)
def test_a_sum_of_exponentials(n, dtype, rng):
    x = np.asarray(cuvec.asarray((100 * rng.standard_normal((6, n))).astype("f4"), dtype))
    if n > 0:
        x[1, : n // 2 + 1] = -np.inf  # as what is masked
        x[2] = -np.inf
        x[3, n // 3] = np.nan
        x[4] = -3e38
        x[5] = np.sort(x[5])
    largest, value = (np.asarray(it) for it in package.module.log_sum_exp(cuvec.asarray(x)))
    exact = x.astype("f8")
    most = np.max(exact, -1, initial=np.finfo("f4").min)
    with np.errstate(divide="ignore"):
        expected = most + np.log(np.exp(exact - most[:, None]).sum(-1))
    np.testing.assert_array_equal(largest, most.astype("f4"))
    np.testing.assert_allclose(value, expected, rtol=2e-6, atol=1e-5)


def test_extremes_of_nothing():
    _, least, most, *_ = package.module.row_extremes(np.zeros((2, 0), "f4"))
    np.testing.assert_array_equal(least, np.inf)
    np.testing.assert_array_equal(most, -np.inf)
    _, least, most, *_ = package.module.row_extremes(np.zeros((2, 0), "i4"))
    np.testing.assert_array_equal(least, np.iinfo("i4").max)
    np.testing.assert_array_equal(most, np.iinfo("i4").min)


@pytest.mark.parametrize("dtype", ["float64", "int32", "float16"])
def test_a_scan_keeps_the_order(dtype, rng):
    for rows, n in shapes():
        x = new(rng, (rows, n), dtype) * (rng.random((rows, n)) < 0.1).astype(dtype)
        at = np.maximum.accumulate(np.where(x != 0, np.arange(n), 0), 1)
        np.testing.assert_array_equal(package.module.fill_forward(x), np.take_along_axis(x, at, 1))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("optional", [False, True])
def test_all_that_a_row_gets(dtype, optional, rng):
    for rows, n in shapes():
        x, weight = new(rng, (rows, 2 * n), dtype), new(rng, n, dtype)
        table, which = rng.integers(-3, 4, 7).astype("f4"), rng.integers(0, 7, rows).astype("i4")
        calls = np.arange(rows)
        more = {"shift": new(rng, rows, dtype), "bias": new(rng, n, dtype)} if optional else {}
        y = package.module.gate_rows(x, weight, table, which, calls, **more)
        expected = (
            x[:, :n].astype("f4")
            * x[:, n:].astype("f4")
            * weight.astype("f4")
            * table[which][:, None]
        )
        if optional:
            expected += more["shift"].astype("f4")[:, None]
            expected += more["bias"].astype("f4")
        np.testing.assert_array_equal(y, expected.astype(x.dtype))
        np.testing.assert_array_equal(calls, 2 * np.arange(rows) + 1)


def test_leading_dimensions_are_merged(rng):
    x, weight = new(rng, (2, 3, 4, 10), "float32"), new(rng, 5, "float32")
    which, calls = np.zeros((2, 3, 4), "i4"), np.zeros((2, 3, 4), "i8")
    y = package.module.gate_rows(x, weight, np.ones(1, "f4"), which, calls)
    np.testing.assert_array_equal(y, x[..., :5] * x[..., 5:] * weight)
    np.testing.assert_array_equal(calls, np.arange(1, 25).reshape(2, 3, 4))


def test_a_row_ends_its_call(rng):
    given = (
        new(rng, (3, 8), "float32"),
        new(rng, 4, "float32"),
        np.ones(2, "f4"),
        np.array([0, 2, 1], "i4"),
    )
    with pytest.raises(RuntimeError, match=r"^gate_rows\(\): no such place in the table$"):
        np.asarray(package.module.gate_rows(*given, np.zeros(3, "i8")))


@pytest.mark.parametrize("dtype", ["float32", "int8"])
@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_rows_are_written_in_place_and_read_again(dtype, rounds, rng):
    for rows, n in shapes():
        x = new(rng, (rows, n), dtype)
        expected, total = x.astype("f4"), np.zeros((rows, n), "f4")
        for _ in range(rounds):
            expected = expected - expected[:, :1] + 1
            total += expected
        y = package.module.center_rows(x, rounds=rounds)
        np.testing.assert_array_equal(x, expected.astype(dtype))
        np.testing.assert_array_equal(y, total)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8"])
def test_sums_over_all_rows(dtype, rng):
    for rows, n in [*shapes(), (0, 5), (3000, 40), (3000, 7)]:
        x = rng.integers(0, 2, (rows, n)).astype(new(rng, 0, dtype).dtype)
        x[rng.integers(0, 40, rows) > 0] = 0  # so that int8 has all sums
        scale = rng.integers(-1, 2, rows).astype("f4")
        largest, total, squares = package.module.sum_rows(x, scale)
        wide = x.astype("f8")
        np.testing.assert_array_equal(total, (scale[:, None] * wide).sum(0).astype(x.dtype))
        np.testing.assert_array_equal(squares, (wide**2).sum(0))
        if n:
            np.testing.assert_array_equal(largest, x.max(1))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_beside_rows(dtype, rng):
    for rows, n in shapes():
        dy, x, weight = (new(rng, shape, dtype) for shape in [(rows, n), (rows, n), n])
        dx, dweight, dbias = package.module.affine_bwd(dy, x, weight, None)
        np.testing.assert_array_equal(dx, dy * weight)
        np.testing.assert_array_equal(dweight, (dy * x).sum(0))
        np.testing.assert_array_equal(dbias, dy.sum(0))


@pytest.mark.parametrize(("first", "apart"), [(0, 8), (1, 8), (0, 3)])
def test_rows_that_are_apart(first, apart, rng):
    for rows, n in shapes():
        memory = cuvec.asarray(new(rng, (rows, n + apart), "float32"))
        before = np.array(memory)
        x = memory[:, first : first + n]
        _, total, _ = package.module.sum_rows(x, np.ones(rows, "f4"))
        np.testing.assert_array_equal(total, np.asarray(x).sum(0))
        package.module.center_rows(x)
        before[:, first : first + n] -= before[:, first : first + 1] - 1
        np.testing.assert_array_equal(memory, before)


def test_rows_that_begin_anywhere(rng):
    memory = cuvec.zeros(6 * 1024 + 1)
    memory[:] = rng.integers(-9, 10, memory.size)
    x = memory[1:].reshape(6, 1024)
    np.testing.assert_array_equal(package.module.row_extremes(x)[0], np.asarray(x).sum(1))
