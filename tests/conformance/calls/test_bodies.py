"""The kernels in `kernels/` and the features that they use, compared with NumPy."""

import numpy as np
import pytest
from errors import exactly
from package import (
    at_least,
    cast,
    choose,
    cuvec,
    fail,
    fill,
    gemv,
    histogram,
    module,
    rotate,
    smooth,
    swap,
)

SIZES = [0, 1, 2, 3, 31, 32, 33, 255, 257, 1000, 100_003]
MAKE = {"cuvec": cuvec.asarray, "numpy": np.array}
makes = pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)


def random(shape, dtype, seed=0):
    return np.random.default_rng(seed).integers(0, 100, shape).astype(dtype)


@makes
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_fill(make, n, dtype):
    y = make(np.zeros(n + 2, dtype))
    fill(y[1:-1], 1)
    np.testing.assert_array_equal(y, [0, *[1] * n, 0])


@makes
@pytest.mark.parametrize("source", ["float32", "int32"])
@pytest.mark.parametrize("target", ["float64", "int64", "complex64"])
def test_two_type_variables(make, source, target):
    x = random((7, 130), source)
    y = make(np.zeros((7, 130), target))
    cast(make(x), y)
    np.testing.assert_array_equal(y, x.astype(target))


@makes
@pytest.mark.parametrize("n", SIZES)
def test_two_inout_arrays(make, n):
    x, y = random(n, "f8", 1), random(n, "f8", 2)
    ours = make(x), make(y)
    swap(*ours)
    np.testing.assert_array_equal(ours[0], y)
    np.testing.assert_array_equal(ours[1], x)


@pytest.mark.parametrize("offset", range(5))
@pytest.mark.parametrize("other", range(5))
def test_arrays_at_any_offset(offset, other):
    x, y = cuvec.asarray(np.arange(300), "i4"), cuvec.asarray(-np.arange(300), "i4")
    swap(x[offset : offset + 200], y[other : other + 200])
    np.testing.assert_array_equal(x[offset : offset + 200], -np.arange(300)[other : other + 200])
    np.testing.assert_array_equal(y[other : other + 200], np.arange(300)[offset : offset + 200])
    np.testing.assert_array_equal(x[offset + 200 :], np.arange(300)[offset + 200 :])


@makes
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", "?BheF")
def test_choose(make, n, dtype):
    mask, x, y = random(n, "i4") % 2 == 1, random(n, dtype, 1), random(n, dtype, 2)
    np.testing.assert_array_equal(choose(make(mask), make(x), make(y)), np.where(mask, x, y))


@makes
@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("shape", [(1, 1), (3, 1000), (1000, 3), (257, 129)])
def test_matrix_times_vector(make, shape, dtype):
    a, x = random(shape, dtype, 1), random(shape[1], dtype, 2)
    np.testing.assert_array_equal(gemv(make(a), make(x), alpha=2, beta=1), 2 * (a @ x) + 1)


@makes
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", "fd")
def test_consecutive_launches(make, n, dtype):
    x = random(n, dtype)
    expected = x
    for _ in range(2):
        ends = np.concatenate([expected[:1], expected, expected[-1:]])
        expected = (ends[:-2] + 2 * ends[1:-1] + ends[2:]) / 4
    np.testing.assert_array_equal(smooth(make(x)), expected)


@makes
@pytest.mark.parametrize("bins", [1, 7, 2000])
@pytest.mark.parametrize("n", SIZES)
def test_shared_memory(make, n, bins):
    x = random(n, "f4") / 64
    inside = x[(x >= 0.25) & (x < 1.25)]
    expected = np.bincount(((inside - 0.25) * bins).astype("i8"), minlength=bins)
    np.testing.assert_array_equal(histogram(make(x), bins, low=0.25, high=1.25), expected)


@makes
def test_fixed_sizes(make):
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], "f4")
    points = random((1000, 3), "f4")
    ours = make(points)
    rotate(make(turn), ours)
    np.testing.assert_array_equal(ours, points @ turn.T)


@pytest.mark.parametrize("n", [1, 1000, 1 << 14, 16_385, 1 << 18, 262_145, (1 << 22) + 1])
def test_plain_arrays_of_any_size_are_staged_both_ways(n):
    x = np.arange(n, dtype="f8")
    inside = slice(2, -2)  # smoothing changes a straight line only at its ends
    for out in (np.full(n, 77.0), None):
        np.testing.assert_array_equal(smooth(x, out=out)[inside], x[inside])
    y = np.ones(n)
    swap(x, y)
    assert (x == 1).all()
    np.testing.assert_array_equal(y, np.arange(n))
    fill(x, 5)
    assert (x == 5).all()


FAILURES = {
    1: (ValueError, r"^fail\(\): a wrong value$"),
    2: (MemoryError, r"^fail\(\): "),
    3: (RuntimeError, r"^fail\(\): it went wrong$"),
    4: (RuntimeError, r"^fail\(\): "),
}


@pytest.mark.parametrize("threads", [False, True])
@pytest.mark.parametrize("how", FAILURES)
def test_errors_of_a_body(how, threads):
    error, message = FAILURES[how]
    for y in (cuvec.ones(1000, "i4"), np.ones(1000, "i4")):
        with pytest.raises(error, match=message) as caught:
            fail(how, y, threads=threads)
        assert caught.type is error
        assert (y == 1).all()
        assert fail(0, y, threads=threads) is None
    x = cuvec.ones(1000)
    np.testing.assert_array_equal(smooth(x), x)  # and everything works


def test_errors_of_a_body_print_nothing(run_python):
    code = """
    from package import cuvec, fail
    for threads in (False, True):
        try:
            fail(4, cuvec.ones(1000, "i4"), threads=threads)
        except RuntimeError as error:
            print(type(error).__name__)
    """
    assert run_python(code).split() == ["RuntimeError"] * 2


@pytest.mark.usefixtures("no_garbage")
def test_a_body_that_throws_leaks_nothing():
    y = np.ones(1000, "i4")
    for _ in range(2):
        used = cuvec.memory_stats().used
        for _ in range(10):
            with pytest.raises(RuntimeError):
                fail(3, y)
        assert cuvec.memory_stats().used == used


@makes
def test_arrays_by_name_only(make):
    x, limit = make(np.arange(6, dtype="f4")), make(np.full(6, 2.5, "f4"))
    np.testing.assert_array_equal(at_least(x, limit=limit), [2.5, 2.5, 2.5, 3, 4, 5])
    with pytest.raises(TypeError):
        at_least(x, limit)


@pytest.mark.function("narrowed")
@pytest.mark.parametrize(
    ("dtype", "n"), [("i4", 2**31), ("i4", -(2**31) - 1), ("i4", 2**32), ("u1", 256), ("u8", -1)]
)
def test_a_number_that_a_kernel_has_no_room_for_is_refused(dtype, n):
    bits = 8 * np.dtype(dtype).itemsize
    hint = ": declare it `int64`" if bits < 64 else ""
    message = f"narrowed(): a parameter of the kernel has {bits} bits and cannot be {n}{hint}"
    with pytest.raises(ValueError, match=exactly(message)):
        module.narrowed(n, dtype)


@pytest.mark.gpu
@pytest.mark.function("narrowed")
@pytest.mark.parametrize(
    ("dtype", "n"), [("i4", 2**31 - 1), ("i4", -(2**31)), ("u1", 255), ("u8", 2**63 - 1)]
)
def test_one_that_fits_comes_as_it_is(dtype, n):
    assert module.narrowed(n, dtype).tolist() == [n]
