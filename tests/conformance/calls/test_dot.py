"""`dot(x, y)`: the sum of the products."""

import math

import numpy as np
import pytest
from package import cuvec, dot

DTYPES = ["float32", "float64"]
SIZES = [*range(71), 255, 256, 257, 1023, 4097]


def random(size, dtype, seed):
    """Numbers of many magnitudes whose products are exact in float64."""
    generator = np.random.default_rng(seed)
    whole = generator.integers(-(1 << 20), 1 << 20, size)
    return np.ldexp(whole, generator.integers(-40, 20, size)).astype(dtype)


def assert_close(got, x, y):
    """Allow the error of a pairwise sum in float64 (Higham 2002, section 4.2)."""
    products = x.astype("f8") * y.astype("f8")
    roundings = math.log2(x.size + 1) + 32
    allowed = roundings * np.finfo("f8").eps * np.abs(products).sum()
    assert type(got) is float
    assert abs(got - math.fsum(products.tolist())) <= allowed


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_size_at_every_offset(dtype, memory):
    size = max(SIZES) + 16
    x = cuvec.asarray(random(size, dtype, 1), memory=memory)
    y = cuvec.asarray(random(size, dtype, 2), memory=memory)
    for n in SIZES:
        for offset in range(8):
            part, other = slice(offset, offset + n), slice(offset // 2, offset // 2 + n)
            assert_close(dot(x[part], y[other]), np.array(x[part]), np.array(y[other]))


@pytest.mark.parametrize("n", [1 << 16, (1 << 20) + 3, (1 << 22) + 1])
@pytest.mark.parametrize("dtype", DTYPES)
def test_many_elements(dtype, n):
    x, y = random(n, dtype, 1), random(n, dtype, 2)
    assert_close(dot(cuvec.asarray(x), cuvec.asarray(y)), x, y)


def test_many_equal_float32_numbers_do_not_drift():
    x = cuvec.full(1 << 22, 0.1)
    assert dot(x, x) == pytest.approx((1 << 22) * float(np.float32(0.1)) ** 2, rel=1e-12)


@pytest.mark.parametrize("shape", [(), (1,), (3, 5), (2, 3, 4), (1,) * 10])
def test_any_shape(shape):
    assert dot(cuvec.full(shape, 2), cuvec.full(shape, 3)) == 6 * math.prod(shape)


@pytest.mark.parametrize("shape", [(0,), (3, 0)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_nothing_sums_to_zero(dtype, shape):
    assert dot(cuvec.zeros(shape, dtype), cuvec.zeros(shape, dtype)) == 0.0


def test_an_array_with_itself():
    x = cuvec.asarray([3.0, 4.0])
    assert dot(x, x) == 25


@pytest.mark.parametrize("dtype", DTYPES)
def test_not_a_number_and_infinity(dtype):
    ones = cuvec.ones(1000, dtype)
    for values, expected in (([np.nan], np.nan), ([np.inf], np.inf), ([np.inf, -np.inf], np.nan)):
        x = cuvec.ones(1000, dtype)
        x[500 : 500 + len(values)] = values
        np.testing.assert_equal(dot(x, ones), expected)


def test_float32_products_do_not_overflow():
    x = cuvec.full(10, 1e30)
    assert dot(x, x) == pytest.approx(1e61, rel=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1000, (1 << 20) + 7])
def test_equal_input_gives_equal_bits(dtype, n):
    x, y = random(n, dtype, 1), random(n, dtype, 2)
    on_device = [cuvec.asarray(x), cuvec.asarray(y)]
    assert len({dot(*on_device) for _ in range(10)} | {dot(x, y)}) == 1


def test_keyword_names():
    assert dot(x=cuvec.ones(3), y=cuvec.ones(3), stream=None) == 3.0
