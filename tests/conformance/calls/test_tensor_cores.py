"""Kernels in Rust whose warps multiply matrices: `by tile of [128, 128]`."""

import numpy as np
import package
import pytest
from package import cuvec

# Rows, depth and columns: around the sides of a tile, of what is copied at once, and of an instruction.
SIZES = [1, 15, 16, 17, 127, 128, 129]
SHAPES = [
    *((n, n, n) for n in SIZES),
    *((n, 40, 1000 // n) for n in SIZES),
    (1000, 1, 3),
    (3, 1000, 1),
    (1, 3, 1000),
    (260, 1000, 130),
]
DTYPES = ["float16", "bfloat16", "float32"]

# Rounding errors of results, and of the factors of a product before, half a unit of the last of 11 or 8 bits.
OF_RESULT = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24}
OF_FACTORS = {"float16": 0.0, "bfloat16": 0.0, "float32": 2 * 2.0**-11}


def dtype_of(name):
    if name == "bfloat16":
        return np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    return np.dtype(name)


def array(values):
    """Return an array that starts at a multiple of 16 bytes, as all do that a package makes."""
    return cuvec.asarray(np.ascontiguousarray(values))


def wide(values):
    return np.asarray(values).astype("f8")


@pytest.mark.function("wide_product")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [*SHAPES, (4000, 72, 520)], ids=str)
def test_tiles_of_another_shape(dtype, shape):
    """By as many warps as a block can have, and more tiles than a group of blocks has."""
    check_whole_numbers(package.module.wide_product, dtype, shape)


@pytest.mark.function("matrix_product")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products_of_whole_numbers_are_exact(dtype, shape):
    check_whole_numbers(package.module.matrix_product, dtype, shape)


def check_whole_numbers(function, dtype, shape):
    """So small that every sum is a float32; the result is rounded once."""
    (m, k, n), dtype = shape, dtype_of(dtype)
    random = np.random.default_rng(m + k + n)
    a, b = (random.integers(-4, 5, shape).astype(dtype) for shape in [(m, k), (k, n)])
    c = function(array(a), array(b))
    assert (c.dtype, c.shape) == (dtype, (m, n))
    np.testing.assert_array_equal(wide(c), wide((wide(a) @ wide(b)).astype("f4").astype(dtype)))


@pytest.mark.function("matrix_product")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(17, 16, 15), (129, 1000, 127), (128, 4096, 128)], ids=str)
def test_sums_in_float32(dtype, shape):
    """As the reference says, every addition loses less than 2**-22 of the sum of all magnitudes."""
    m, k, n = shape
    random = np.random.default_rng(k)
    a, b = (random.standard_normal(shape).astype(dtype_of(dtype)) for shape in [(m, k), (k, n)])
    c = wide(package.module.matrix_product(array(a), array(b)))
    exact, magnitudes = wide(a) @ wide(b), abs(wide(a)) @ abs(wide(b))
    bound = (k * 2.0**-22 + OF_FACTORS[dtype]) * magnitudes
    bound += OF_RESULT[dtype] * (abs(exact) + bound) + 2.0**-25  # the last for the smallest float16
    assert (abs(c - exact) <= bound).all(), (abs(c - exact) / bound).max()


@pytest.mark.function("matrix_product")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(0, 3, 4), (4, 3, 0), (0, 0, 0), (130, 0, 129)], ids=str)
def test_nothing_to_add_is_zeros(dtype, shape):
    (m, k, n), dtype = shape, dtype_of(dtype)
    out = array(np.full((m, n), 7, dtype))
    package.module.matrix_product(
        array(np.ones((m, k), dtype)), array(np.ones((k, n), dtype)), out=out
    )
    np.testing.assert_array_equal(wide(out), np.zeros((m, n)))


@pytest.mark.function("matrix_product")
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_rows_that_begin_anywhere(dtype):
    """Nothing is copied by 16 bytes that does not lie at a multiple of them."""
    m, k, n = 130, 48, 136
    random = np.random.default_rng(2)
    values = array(random.integers(-4, 5, 1 + k * max(m, n)).astype(dtype))
    for first in (0, 1):
        a, b = (
            values[first : first + size].reshape(shape)
            for size, shape in [(m * k, (m, k)), (k * n, (k, n))]
        )
        np.testing.assert_array_equal(
            package.module.matrix_product(a, b), (wide(a) @ wide(b)).astype(dtype)
        )


@pytest.mark.function("matrix_product")
def test_what_is_not_a_number_stays_in_its_row_and_column():
    """Beyond the edges nothing is multiplied with it."""
    a, b = np.ones((20, 35), "f4"), np.ones((35, 20), "f4")
    a[3, 34], b[34, 5] = np.inf, np.nan
    c = np.asarray(package.module.matrix_product(array(a), array(b)))
    expected = np.full((20, 20), 35.0)
    expected[3], expected[:, 5] = np.inf, np.nan
    np.testing.assert_array_equal(c, expected)


@pytest.mark.function("linear")
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (64, 32, 128), (70, 100, 130)], ids=str)
def test_factors_that_are_calculated_and_elements_as_they_were(dtype, shape):
    (m, k, n), dtype = shape, dtype_of(dtype)
    random = np.random.default_rng(m)
    x = array(random.integers(-4, 5, (m, k + 8)).astype(dtype))[:, 3 : 3 + k]
    weight, bias = (
        random.integers(-8, 9, (n, k)).astype("i1"),
        random.integers(-9, 10, n).astype("f4"),
    )
    y = random.integers(-9, 10, (m, n)).astype("f4")
    expected = 2 * y + np.maximum(wide(x) @ wide(weight).T + bias, 0)
    y = array(y)
    package.module.linear(x, array(weight), array(bias), y, beta=2)
    np.testing.assert_array_equal(y, expected)
