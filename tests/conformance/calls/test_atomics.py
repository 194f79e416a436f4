"""Cooperation of threads: elements that several of them change, and reductions of a warp and a block, of every dtype."""

import numpy as np
import package
import pytest
from package import cuvec

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def numpy_dtype(name):
    if name.startswith(("bfloat", "float8")):
        return np.dtype(getattr(pytest.importorskip("ml_dtypes"), name))
    return np.dtype(name)


@pytest.mark.function("tally")
@pytest.mark.parametrize(
    "dtype", [*INTEGERS, "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
)
def test_nothing_that_is_added_is_lost(dtype):
    """Neighbours share a word of memory, which is all that a GPU can exchange at once."""
    dtype = numpy_dtype(dtype)
    random = np.random.default_rng(1)
    index = random.integers(0, 37, 1500)  # sums to about 60: int8 holds 127
    values = np.where(random.random(1500) < 0.5, 1, 2).astype(dtype)
    if dtype.kind == "c":
        values *= 1 - 2j
    expected = np.zeros(37, dtype)
    for i, value in zip(index, values, strict=True):
        expected[i] += value
    sums = package.module.tally(cuvec.asarray(index), cuvec.asarray(values), 37)
    np.testing.assert_array_equal(np.asarray(sums), expected)


@pytest.mark.function("tally")
@pytest.mark.parametrize("dtype", [*INTEGERS, "bfloat16", "float32", "float64", "complex64"])
def test_many_threads_add_to_few_elements(dtype):
    """On either side, to neighbours at once; small dtypes hold few ones."""
    dtype = numpy_dtype(dtype)
    n = 1_000_000
    index = np.arange(n) % 5
    values = np.zeros(n, dtype)
    values[:: 1 if dtype.itemsize >= 4 else 9973] = 1
    expected = np.bincount(index, values.real.astype("f8")).astype(dtype)
    for _ in range(5):
        sums = package.module.tally(cuvec.asarray(index), cuvec.asarray(values), 5)
        np.testing.assert_array_equal(np.asarray(sums), expected)


@pytest.mark.function("tally")
@pytest.mark.parametrize("dtype", INTEGERS)
def test_sums_of_integers_overflow_into_no_neighbour(dtype):
    most = np.iinfo(dtype).max
    values = np.array([most, 2, most, 1], dtype)
    sums = package.module.tally(np.array([1, 1, 2, 0]), values, 4)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(np.asarray(sums), [1, values[0] + values[1], most, 0])


@pytest.mark.function("peaks")
@pytest.mark.parametrize(
    "dtype",
    [*INTEGERS, "float8_e4m3fn", "float8_e5m2", "float16", "bfloat16", "float32", "float64"],
)
def test_many_threads_change_elements_of_every_dtype(dtype):
    """The elements of the first 64 indices are in shared memory as well."""
    n, bins, random = 50_000, 70, np.random.default_rng(3)
    index = random.integers(0, bins, n)
    value = random.integers(-8, 8, n)
    value = np.where(value == 0, 8, np.abs(value) if dtype.startswith("u") else value)
    low, high = np.zeros((2, bins))
    np.minimum.at(low, index, value)
    np.maximum.at(high, index, value)
    given = map(cuvec.asarray, (index, value.astype(numpy_dtype(dtype))))
    *got, places = map(np.asarray, package.module.peaks(*given, bins))
    got_low, got_high, one = (it.astype(float) for it in got)
    np.testing.assert_array_equal(got_low, low)
    np.testing.assert_array_equal(got_high, high)
    assert {*zip(range(bins), one, strict=True)} <= {*zip(index, value, strict=True)}
    np.testing.assert_array_equal(index[places - 1], range(bins))  # of two it would be the sum


@pytest.mark.function("warp_facts")
@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
)
@pytest.mark.parametrize("shape", [(1, 1), (3, 31), (5, 32), (300, 33), (2, 5000)])
def test_what_a_warp_finds_of_a_row(dtype, shape):
    lowest = 0 if dtype.startswith("u") else -100
    x = np.random.default_rng(shape).integers(lowest, 100, shape)
    given = cuvec.asarray(x.astype(numpy_dtype(dtype)))
    low, high, first, positive = map(np.asarray, package.module.warp_facts(given))
    np.testing.assert_array_equal(low.astype(int), x.min(axis=1))
    np.testing.assert_array_equal(high.astype(int), x.max(axis=1))
    np.testing.assert_array_equal(first, x.argmax(axis=1))
    np.testing.assert_array_equal(positive, (x > 0).sum(axis=1))


@pytest.mark.function("warp_facts")
@pytest.mark.parametrize("place", [0, 31, 99])
def test_what_is_not_a_number_is_the_extreme_of_a_row(place):
    x = np.ones((2, 100), "f4")
    x[1, place] = np.nan
    low, high = package.module.warp_facts(cuvec.asarray(x))[:2]
    np.testing.assert_array_equal(low, [1, np.nan])
    np.testing.assert_array_equal(high, [1, np.nan])


@pytest.mark.function("extremes")
@pytest.mark.parametrize(
    "dtype", [*INTEGERS[:3], *INTEGERS[4:], "float16", "bfloat16", "float32", "float64"]
)
@pytest.mark.parametrize("n", [1, 31, 256, 100_000])
def test_the_extremes_of_many_blocks(dtype, n):
    dtype = numpy_dtype(dtype)
    x = np.random.default_rng(n).integers(0 if dtype.kind == "u" else -120, 120, n).astype(dtype)
    assert package.module.extremes(cuvec.asarray(x)) == (x.min(), x.max())


@pytest.mark.function("extremes")
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("place", [0, 70, 9_999])
def test_what_is_not_a_number_is_the_extreme(dtype, place):
    x = np.ones(10_000, dtype)
    x[place] = np.nan
    assert np.isnan(package.module.extremes(cuvec.asarray(x))).all()


@pytest.mark.function("total")
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "complex64", "complex128"])
def test_the_sum_of_a_block(dtype):
    x = np.random.default_rng(2).integers(-1, 2, 999).astype(dtype)
    if np.dtype(dtype).kind == "c":
        x[::3] *= 1j
    assert package.module.total(cuvec.asarray(x)) == x.sum()


@pytest.mark.function("lists")
@pytest.mark.parametrize("n", [1, 33, 5000, 100_000])
def test_each_index_is_in_one_list(n):
    random = np.random.default_rng(n)
    key, value = random.integers(0, 300, n), random.random(n).astype("f4")
    head, following, count, peak = map(
        np.asarray, package.module.lists(cuvec.asarray(key), cuvec.asarray(value), 300)
    )
    assert count == len(np.unique(key))
    assert peak == value.max()
    seen, at = np.zeros(n, bool), head
    while at.any():
        at = at[at > 0]
        assert not seen[at - 1].any()
        seen[at - 1] = True
        at = following[at - 1]
    assert seen.all()
    assert (key[head[head > 0] - 1] == np.flatnonzero(head)).all()


@pytest.mark.function("joint")
@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_elements_of_two_dimensions_change(dtype):
    n, shape, random = 20_000, (7, 5), np.random.default_rng(5)
    at = tuple(random.integers(0, size, n) for size in shape)
    value = random.integers(-9, 9, n).astype(dtype)
    given = map(cuvec.asarray, (*at, value))
    count, total, low, high, last = map(np.asarray, package.module.joint(*given, *shape))
    expected = np.zeros((4, *shape))
    np.add.at(expected[0], at, 1)
    for which, function in enumerate((np.add, np.minimum, np.maximum), 1):
        function.at(expected[which], at, value)
    np.testing.assert_array_equal([count, total, low, high], expected)
    points = set(zip(*at, value, strict=True))
    assert {(*each, last[each]) for each in np.ndindex(shape)} <= points


@pytest.mark.function("joint")
@pytest.mark.parametrize(
    ("at", "index", "size"), [((1, 5), 5, 5), ((7, 0), 7, 7), ((0, -1), -1, 5)]
)
def test_each_dimension_of_an_index_is_checked(at, index, size):
    """A column after the last one is not an element of the next row."""
    row, column = np.zeros((2, 1000), np.int64)
    row[400], column[400] = at
    value = np.ones(1000)
    given = map(cuvec.asarray, (row, column, value))
    message = rf"kernels/joint\.rs:13: there is no element {index} in an array of {size}$"

    def call():
        package.module.joint(*given, 7, 5)
        cuvec.dev_sync()  # which raises what a kernel on the GPU found

    with pytest.raises(RuntimeError, match=message):
        call()
    count = package.module.joint(row * 0, column * 0 + 4, value, 7, 5)[0]
    np.testing.assert_array_equal(np.argwhere(np.asarray(count)), [(0, 4)])
