"""Kernels in Rust that say how they are launched: blocks of a size, whose threads have values of their own, and passes that are repeated."""

import numpy as np
import package
import pytest
from package import cuvec


@pytest.mark.function("tiled_product")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (16, 16, 16), (5, 0, 3), (33, 70, 47), (200, 31, 129)]
)
def test_tiles_in_shared_memory(dtype, shape):
    m, k, n = shape
    random = np.random.default_rng(1)
    a, b = random.random((m, k)).astype(dtype), random.random((k, n)).astype(dtype)
    c = np.asarray(package.module.tiled_product(cuvec.asarray(a), cuvec.asarray(b)))
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


@pytest.mark.function("prefix_steps")
@pytest.mark.parametrize("n", [0, 1, 2, 3, 1000, 70_001])
def test_as_many_passes_as_a_size_says(n):
    x = np.random.default_rng(n).integers(-9, 9, n)
    np.testing.assert_array_equal(package.module.prefix_steps(cuvec.asarray(x)), np.cumsum(x))


@pytest.mark.function("rotated")
@pytest.mark.parametrize("n", [1, 64, 65, 1000])
def test_threads_exchange_what_they_have(n):
    x = np.random.default_rng(n).integers(-99, 99, n).astype("i4")
    blocks = np.zeros((-(-n // 64), 2, 32), "i4")  # beyond the end there are zeros
    blocks.reshape(-1)[:n] = x
    expected = np.roll(blocks, -5, axis=2) + blocks.sum(axis=(1, 2))[:, None, None]
    y = cuvec.asarray(x)
    package.module.rotated(y, 5)
    np.testing.assert_array_equal(y, expected.reshape(-1)[:n])


@pytest.mark.function("evens")
@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 1000])
def test_two_functions_of_one_file(n, dtype):
    x = np.arange(n).astype(dtype)
    np.testing.assert_array_equal(package.module.evens(x), x[::2])
    np.testing.assert_array_equal(package.module.odds(x), x[1::2])


@pytest.mark.function("deviations")
@pytest.mark.parametrize("m", [1, 63, 64, 300, 5000])
@pytest.mark.parametrize("n", [0, 1, 64, 65, 1000])
def test_threads_reduce_numbers_and_write_several_arrays(m, n):
    rng = np.random.default_rng([m, n])
    x, y = rng.integers(-99, 99, m).astype("f8"), rng.integers(-99, 99, n).astype("f8")
    blocks = np.full((-(-n // 64), 64), -np.inf)
    blocks.reshape(-1)[:n] = y
    expected = np.broadcast_to((blocks > x.mean()).sum(1)[:, None], blocks.shape).reshape(-1)[:n]
    changed = cuvec.asarray(y)
    larger, largest = package.module.deviations(cuvec.asarray(x), changed)
    np.testing.assert_array_equal(changed, y - x.mean())  # sums of integers are exact
    np.testing.assert_array_equal(larger, expected)
    np.testing.assert_array_equal(largest, np.full(n, x.max()))


@pytest.mark.function("lloyd")
@pytest.mark.parametrize("steps", [0, 1, 7])
def test_repeated_passes_add_to_zeros_and_read_what_earlier_ones_wrote(steps):
    points = np.random.default_rng(3).integers(0, 1000, 5000).astype("f8")  # whose sums are exact
    expected = np.array([5.0, 300, 301, 2000, 5000])
    centers = cuvec.asarray(expected)
    package.module.lloyd(cuvec.asarray(points), centers, steps=steps)
    for _ in range(steps):
        nearest = np.abs(points[:, None] - expected).argmin(axis=1)
        for c in np.unique(nearest):
            expected[c] = points[nearest == c].mean()
    np.testing.assert_array_equal(centers, expected)


@pytest.mark.function("sign_bits")
@pytest.mark.parametrize("m", [1, 7, 1000])
def test_lanes_of_a_warp_vote(m):
    x = np.random.default_rng(m).integers(-9, 9, (m, 32)).astype("i4")
    expected = ((x < 0) << np.arange(32, dtype="u4")).sum(axis=1)
    np.testing.assert_array_equal(package.module.sign_bits(cuvec.asarray(x)), expected)


@pytest.mark.function("pair_products")
@pytest.mark.parametrize("m", [1, 7, 1000])
def test_lanes_of_a_warp_exchange_what_they_have(m):
    x = np.random.default_rng(m).integers(-99, 99, (m, 32)).astype("i4")
    expected = (x[:, ::2] * x[:, 1::2]).sum(axis=1)
    np.testing.assert_array_equal(package.module.pair_products(cuvec.asarray(x)), expected)
