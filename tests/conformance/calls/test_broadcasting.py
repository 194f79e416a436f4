"""Dimensions in front of the declared ones, which are broadcast as in NumPy: in one launch where a body
works element by element or row by row, otherwise in a loop around the body."""

import numpy as np
import pytest
from errors import exactly
from package import axpy, choose, cuvec, dot, first, gemv, histogram, iota, pieces, rms_norm, swap

SHAPES = [
    ((), ()),
    ((3,), ()),
    ((1,), (4,)),
    ((2, 3), (3,)),
    ((2, 1), (1, 3)),
    ((2, 1, 4), (3, 1)),
    ((0,), (1,)),
    ((2, 0), (1,)),
]


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def some(rng, shape, dtype="f4"):
    return cuvec.asarray(rng.integers(-9, 10, shape).astype(dtype))


@pytest.mark.parametrize(("one", "other"), SHAPES)
def test_element_wise_functions_broadcast(one, other, rng):
    for first_shape, second in ((one, other), (other, one)):
        x, y = some(rng, first_shape, "i2"), some(rng, second, "i2")
        mask = some(rng, first_shape) > 0
        result = choose(mask, x, y)
        np.testing.assert_array_equal(result, np.where(mask, x, y))
        assert result.shape == np.broadcast_shapes(one, other)


def test_three_arrays_are_broadcast_together(rng):
    mask, x, y = some(rng, (4, 1, 1)) > 0, some(rng, (3, 1), "c8"), some(rng, 2, "c8")
    np.testing.assert_array_equal(choose(mask, x, y), np.where(mask, x, y))


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 1), (2, 3), (1, 1, 3)])
def test_what_is_written_has_the_whole_shape(shape, rng):
    x, y = some(rng, shape), some(rng, (5, 2, 3))
    expected = 2 * np.asarray(x) + y
    axpy(2, x, y)
    np.testing.assert_array_equal(y, expected)


def test_leading_dimensions_are_broadcast(rng):
    x, weight = some(rng, (4, 3, 5)), some(rng, 5)
    whole = np.stack([rms_norm(it, weight) for it in x.reshape(-1, 5)]).reshape(x.shape)
    np.testing.assert_array_equal(rms_norm(x, weight), whole)


def test_a_declared_argument_may_have_leading_dimensions_too(rng):
    """Then each place of the loop is a call of its own."""
    x, weight = some(rng, (4, 3, 5)), some(rng, (3, 5))
    y = rms_norm(x, weight)
    for i, j in np.ndindex(4, 3):
        np.testing.assert_array_equal(y[i, j], rms_norm(x[i, j], weight[j]))
    np.testing.assert_array_equal(rms_norm(x[0, 0], weight), [rms_norm(x[0, 0], w) for w in weight])


@pytest.mark.parametrize(
    ("a_loop", "x_loop"), [((4,), ()), ((), (4,)), ((2, 1), (3,)), ((2, 3), (2, 3)), ((0,), ())]
)
def test_other_functions_are_called_in_a_loop(a_loop, x_loop, rng):
    a, x = some(rng, (*a_loop, 3, 5)), some(rng, (*x_loop, 5))
    y = gemv(a, x, beta=0)
    np.testing.assert_array_equal(y, np.einsum("...ij,...j->...i", a, x))
    assert (type(y), y.dtype) == (cuvec.CuVec, np.float32)
    out = cuvec.zeros_like(y)
    assert gemv(a, x, beta=0, out=out) is out
    np.testing.assert_array_equal(out, y)


def test_scalars_of_a_loop_are_an_array(rng):
    x, y = some(rng, (2, 3, 7)), some(rng, 7)
    with pytest.raises(ValueError, match="same shape"):
        dot(x, y)  # of any shape: it has no loop
    np.testing.assert_array_equal(first(x), x[..., 0])
    assert isinstance(first(x[0, 0]), float)
    out = cuvec.zeros((2, 3))
    first(x, out=out)
    np.testing.assert_array_equal(out, x[..., 0])


def test_several_results_of_a_loop(rng):
    x = some(rng, (2, 3, 8), "i4")
    for results, whole in zip(
        zip(*(pieces(row) for row in x.reshape(6, 8)), strict=True), pieces(x), strict=True
    ):
        assert whole.shape[:2] == (2, 3)
        np.testing.assert_array_equal(np.stack(results).reshape(whole.shape), whole)


def test_scratch_memory_of_a_loop_is_its_own(rng):
    """Each body of `histogram` begins with scratch memory or results that others have used."""
    x = cuvec.asarray(rng.random((50, 40)).astype("f4"))
    np.testing.assert_array_equal(histogram(x, 4), histogram(x, 4))


DTYPES = [
    *"?bBhHiIqQefdFD",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e8m0fnu",
]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_in_a_loop_over_strided_rows(dtype, rng):
    cuvec.zeros(0, dtype)  # gives NumPy the name
    x = rng.integers(0, 2, (6, 5, 4)).astype(dtype)
    for given in (x, cuvec.asarray(x)):
        view = given.transpose(2, 0, 1)[::-1, ::2, 1::2]
        expected = np.ascontiguousarray(x.transpose(2, 0, 1)[::-1, ::2, 1])
        # bytes: NumPy does not tell NaNs of float8_e8m0fnu, which has no zero
        np.testing.assert_array_equal(first(view).view("u1"), expected.view("u1"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: axpy(1, cuvec.ones(3), cuvec.ones(4)),
            "x and y cannot be broadcast together, with shapes (3,) and (4,)",
        ),
        (
            lambda: axpy(1, cuvec.ones((2, 3)), cuvec.ones(3)),
            "y is written and must have shape (2, 3), not (3,)",
        ),
        (
            lambda: swap(cuvec.ones((2, 3), "i4"), cuvec.ones(3, "i4")),
            "y is written and must have shape (2, 3), not (3,)",
        ),
        (
            lambda: gemv(cuvec.ones((2, 3, 4)), cuvec.ones((3, 4))),
            "a and x cannot be broadcast together, with shapes (2, 3, 4) and (3, 4)",
        ),
        (
            lambda: gemv(cuvec.ones((2, 3, 4)), cuvec.ones((2, 5))),
            "x has shape (2, 5), but n is 4 in a of shape (2, 3, 4)",
        ),
        (
            lambda: gemv(cuvec.ones((2, 3, 4)), cuvec.ones(4), out=cuvec.ones(3)),
            "out is written and must have shape (2, 3), not (3,)",
        ),
        (
            lambda: gemv(cuvec.ones((3, 4)), cuvec.ones(4), out=cuvec.ones((2, 3))),
            "out is written and must have shape (3,), not (2, 3)",
        ),
        (
            lambda: iota(3, start=0, out=cuvec.zeros((2, 3), "i8")),
            "out is written and must have shape (3,), not (2, 3)",
        ),
        (
            lambda: gemv(cuvec.ones((2, 3, 4)), cuvec.ones(())),
            "x must have 1 dimension (n,), not shape ()",
        ),
    ],
)
def test_shapes_that_are_not_broadcast(call, message):
    with pytest.raises(ValueError, match=exactly(message)):
        call()


def test_an_element_wise_function_may_write_to_its_argument(rng):
    x = some(rng, 9)
    expected = 3 * np.asarray(x)
    axpy(2, x, x)
    np.testing.assert_array_equal(x, expected)
    x, y = some(rng, (4, 5), "i2"), some(rng, (4, 5), "i2")
    mask = x > 0
    expected = np.where(mask, x, y)
    assert choose(mask, x, y, out=x) is x
    np.testing.assert_array_equal(x, expected)


def test_an_element_wise_function_may_write_to_a_part_of_its_argument():
    x = cuvec.asarray(np.arange(8.0))
    axpy(1, x[:6], x[2:])
    np.testing.assert_array_equal(x, [0, 1, 2, 4, 6, 8, 10, 12])


def test_help_says_what_is_broadcast():
    assert "Dimensions in front of the declared ones are broadcast, as NumPy does." in gemv.__doc__
    assert "Nothing is broadcast: arrays of any shape have the same one." in dot.__doc__
