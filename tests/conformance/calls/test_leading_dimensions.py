"""Leading dimensions, `T(...,n)`: any, the same in all arrays that have them; a function works on each row."""

import numpy as np
import pytest
from errors import exactly
from package import cuvec, rms_norm, row_sums

SHAPES = [(5,), (3, 5), (2, 3, 5), (2, 1, 3, 5), (0, 5), (3, 0), (2, 0, 3, 5)]


def expected(x, weight, eps=1e-6):
    wide = x.astype("f8")
    scale = 1 / np.sqrt((wide * wide).mean(-1, keepdims=True) + eps)
    return (wide * scale * weight.astype("f8")).astype("f4").astype(x.dtype)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape[-1]])
def test_every_row_is_worked_on(shape, dtype, rng):
    cuvec.zeros(0, dtype)  # gives NumPy the name
    x = rng.standard_normal(shape).astype("f4").astype(dtype)
    weight = rng.standard_normal(shape[-1]).astype("f4").astype(dtype)
    for given in (x, cuvec.asarray(x)):
        y = rms_norm(given, weight)
        assert (type(y), y.shape, y.dtype) == (cuvec.CuVec, shape, x.dtype)
        np.testing.assert_allclose(y.astype("f4"), expected(x, weight).astype("f4"), rtol=1e-2)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (2, 3, 0)])
def test_rows_may_be_empty(shape):
    x = cuvec.zeros(shape)
    assert rms_norm(x, cuvec.zeros(0)).shape == shape


@pytest.mark.parametrize("leading", [(), (4,), (2, 3), (0,), (2, 0, 3), (2, 3, 1, 2, 1)])
def test_dimensions_that_others_do_not_have(leading, rng):
    x = rng.integers(0, 10, (*leading, 2, 3)).astype("f8")
    y = np.ones(leading)
    row_sums(x, y)
    np.testing.assert_array_equal(y, 1 + x.sum((-2, -1)))


def test_leading_dimensions_of_empty_rows():
    y = cuvec.ones((4, 5), "f8")
    row_sums(cuvec.zeros((4, 5, 0, 3), "f8"), y)
    np.testing.assert_array_equal(y, 1)


def test_results_may_be_given(rng):
    x, weight = cuvec.asarray(rng.random((2, 3, 4), "f4")), cuvec.ones(4)
    out = cuvec.zeros((2, 3, 4))
    assert rms_norm(x, weight, out=out) is out
    np.testing.assert_array_equal(out, rms_norm(x, weight))
    with pytest.raises(ValueError, match=r"^out is written and must have shape"):
        rms_norm(x, weight, out=cuvec.zeros((3, 2, 4)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: rms_norm(cuvec.zeros(()), cuvec.zeros(1)),
            "x must have at least 1 dimension (..., n), not shape ()",
        ),
        (
            lambda: row_sums(cuvec.zeros(3, "f8"), cuvec.zeros((), "f8")),
            "x must have at least 2 dimensions (..., m, 3), not shape (3,)",
        ),
        (
            lambda: rms_norm(cuvec.zeros((2, 3)), cuvec.zeros(4)),
            "weight has shape (4,), but n is 3 in x of shape (2, 3)",
        ),
        (
            lambda: row_sums(cuvec.zeros((4, 2, 3), "f8"), cuvec.zeros((2, 2), "f8")),
            "x and y cannot be broadcast together, with shapes (4, 2, 3) and (2, 2)",
        ),
        (
            lambda: row_sums(cuvec.zeros((4, 2, 5), "f8"), cuvec.zeros(4, "f8")),
            "x has shape (4, 2, 5), but must have (..., m, 3) = (4, 2, 3)",
        ),
    ],
)
def test_shapes_that_are_wrong(call, message):
    with pytest.raises(ValueError, match=exactly(message)):
        call()


def test_they_are_in_the_documentation():
    assert "x : array of T, shape (..., n)" in rms_norm.__doc__
    assert "y : array of float64, any shape" in row_sums.__doc__
