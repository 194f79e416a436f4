"""Functions that people write first, in the fewest lines: against NumPy."""

import numpy as np
import package
import pytest
from package import cuvec


@pytest.mark.function("softmax")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1), (7, 33), (3, 4097)])
def test_softmax(dtype, shape):
    x = np.random.default_rng(1).normal(0, 50, shape).astype(dtype)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    got = np.asarray(package.module.softmax(cuvec.asarray(x)))
    np.testing.assert_allclose(
        got, e / e.sum(axis=1, keepdims=True), rtol=50 * np.finfo(dtype).eps, atol=1e-37
    )


@pytest.mark.function("mandelbrot")
def test_mandelbrot():
    y, x = np.mgrid[:120, :200]
    c = (-2 + 3 * x / 200) + 1j * (-1.5 + 3 * y / 120)
    z, expected = c.copy(), np.full(c.shape, -1)
    for step in range(60):
        leaves = (expected == -1) & (z.real**2 + z.imag**2 > 4)
        expected[leaves] = step
        z = np.where(expected == -1, z * z + c, z)
    got = np.asarray(package.module.mandelbrot(120, 200, limit=60))
    assert (got != expected).mean() < 1e-3  # points whose last bits decide


@pytest.mark.function("pi")
def test_monte_carlo_pi():
    first = package.module.pi(4_000_000)
    assert abs(first - np.pi) < 4e-3
    assert package.module.pi(4_000_000) == first
    assert package.module.pi(4_000_000, seed=2) != first


@pytest.mark.function("k_means")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_k_means(dtype):
    random = np.random.default_rng(6)
    points, centers = random.random((3000, 3)).astype(dtype), random.random((7, 3)).astype(dtype)
    centers[5] = 100  # nothing is near
    labels, moved = map(np.asarray, package.module.k_means(*map(cuvec.asarray, (points, centers))))
    distances = ((points[:, None] - centers) ** 2).sum(axis=2)
    np.testing.assert_array_equal(labels, distances.argmin(axis=1))
    expected = [points[labels == c].mean(axis=0) if c != 5 else centers[5] for c in range(7)]
    np.testing.assert_allclose(moved, expected, rtol=1e3 * np.finfo(dtype).eps)
