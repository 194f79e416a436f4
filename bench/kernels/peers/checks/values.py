"""Expected result of each function: NumPy's for random numbers, in float32 and float64.

Numba's functions make their results; all others get an array for them, as the last argument.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from arrays import Arrays

RNG = np.random.default_rng(1)
TOLERANCE = {"float32": 1e-4, "float64": 1e-12}


def random(*shape: int, dtype: str) -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


def same(found: np.ndarray, expected: np.ndarray) -> None:
    assert found.dtype == expected.dtype, f"{found.dtype} is not {expected.dtype}"
    tolerance = TOLERANCE[str(expected.dtype)]
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def scale(peer: str, called: Callable, arrays: Arrays) -> None:
    for dtype in TOLERANCE:
        host = random(100_003, dtype=dtype)
        x = arrays.to_gpu(host)
        called(1.5, x, **({"out": x} if peer == "numba" else {}))
        same(arrays.to_host(x), host * np.array(1.5, dtype))


def axpy(peer: str, called: Callable, arrays: Arrays) -> None:
    for dtype in TOLERANCE:
        hosts = random(100_003, dtype=dtype), random(100_003, dtype=dtype)
        x, y = map(arrays.to_gpu, hosts)
        called(1.5, x, y, **({"out": y} if peer == "numba" else {}))
        same(arrays.to_host(y), np.array(1.5, dtype) * hosts[0] + hosts[1])


def gemv(peer: str, called: Callable, arrays: Arrays) -> None:
    for dtype in TOLERANCE:
        a, x = random(257, 1025, dtype=dtype), random(1025, dtype=dtype)
        y = arrays.to_gpu(np.full(257, np.nan, dtype))
        if peer == "numba":
            y = called(arrays.to_gpu(a), arrays.to_gpu(x))
        else:
            called(arrays.to_gpu(a), arrays.to_gpu(x), y)
        found, expected = arrays.to_host(y), a.astype("float64") @ x.astype("float64")
        # Products cancel: what is allowed is relative to their sizes.
        sizes = np.abs(a).astype("float64") @ np.abs(x).astype("float64")
        assert found.dtype == dtype
        assert (np.abs(found - expected) <= 64 * np.finfo(dtype).eps * sizes).all()


def dot(peer: str, called: Callable, arrays: Arrays) -> None:
    for dtype in TOLERANCE:
        x, y = random(1_000_003, dtype=dtype), random(1_000_003, dtype=dtype)
        if peer == "tvm_ffi":
            total = arrays.to_gpu(np.full(1, np.nan))
            called(arrays.to_gpu(x), arrays.to_gpu(y), total)
            found = arrays.to_host(total)[0]
        else:
            found = called(arrays.to_gpu(x), arrays.to_gpu(y))
        products = x.astype("float64") * y.astype("float64")
        assert abs(found - products.sum()) <= 1e-12 * np.abs(products).sum()


def histogram(peer: str, called: Callable, arrays: Arrays) -> None:
    x = RNG.random(100_000, dtype="float32") * 3 - 1
    inside = x[(x >= 0) & (x <= 1)]
    for bins in (1, 10, 1000):
        counts = arrays.to_gpu(np.full(bins, -1, "int64"))
        if peer == "numba":
            counts = called(arrays.to_gpu(x), bins, low=0, high=1)
        else:
            called(arrays.to_gpu(x), 0, 1, counts)
        expected = np.bincount(np.minimum((inside * np.float32(bins)).astype(int), bins - 1), minlength=bins)
        np.testing.assert_array_equal(arrays.to_host(counts), expected)


def blurred(image: np.ndarray, sigma: float) -> np.ndarray:
    radius = int(np.ceil(3 * sigma))
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    for axis in (1, 0):
        padding = [(radius, radius) if k == axis else (0, 0) for k in (0, 1)]
        padded = np.pad(image, padding, mode="edge")
        image = np.apply_along_axis(np.convolve, axis, padded, weights / weights.sum(), "valid")
    return image


def blur(peer: str, called: Callable, arrays: Arrays) -> None:
    for dtype in TOLERANCE:
        for sigma in (0.5, 2.5):
            image = RNG.random((130, 67)).astype(dtype)
            result = arrays.to_gpu(np.full_like(image, np.nan))
            if peer == "numba":
                result = called(arrays.to_gpu(image), sigma=sigma)
            else:
                called(arrays.to_gpu(image), sigma, result)
            same(arrays.to_host(result), blurred(image, sigma).astype(dtype))


CHECKS = {each.__name__: each for each in (scale, axpy, gemv, dot, histogram, blur)}
