"""Arguments for the functions of `bench/kernels` and for the samples, so large that a call keeps a GPU busy for longer than it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Random = np.random.Generator
MI = 1 << 20
ROWS = (4096, 8192)


class Case(NamedTuple):
    """Description of the data, and the arguments."""

    work: str
    arguments: Callable[[Random], tuple[Any, ...]]


def floats(*shapes: int | tuple[int, ...]) -> Callable[[Random], tuple[Any, ...]]:
    """Random numbers from 0 to 1."""
    return lambda random: tuple(random.random(shape, dtype="f4") for shape in shapes)


def plane(size: int) -> np.ndarray:
    """Numbers in and around the Mandelbrot set."""
    y, x = np.mgrid[-1.25 : 1.25 : size * 1j, -2 : 0.5 : size * 1j]
    return x + 1j * y


CASES = {
    "axpy": Case("64 Mi float32", lambda random: (2.0, *floats(64 * MI, 64 * MI)(random))),
    "scale": Case("64 Mi float32", lambda random: (1.0, *floats(64 * MI)(random))),
    "dot": Case("64 Mi float32", floats(64 * MI, 64 * MI)),
    "gemv": Case("8192 × 8192 float32", floats((8192, 8192), 8192)),
    "matmul": Case("2048 × 2048 float32, without tensor cores", floats((2048, 2048), (2048, 2048))),
    "gelu": Case("32 Mi float32", floats(32 * MI)),
    "softmax": Case("4096 rows of 8192 float32", floats(ROWS)),
    "rms_norm": Case("4096 rows of 8192 float32", floats(ROWS, ROWS[1])),
    "rms_norm_bwd": Case("4096 rows of 8192 float32", floats(ROWS, ROWS, ROWS[1], ROWS[0])),
    "layer_norm": Case("4096 rows of 8192 float32", floats(ROWS, ROWS[1], ROWS[1])),
    "layer_norm_bwd": Case("4096 rows of 8192 float32", floats(ROWS, ROWS, ROWS[1], ROWS[0], ROWS[0])),
    "add_rms_norm": Case("4096 rows of 8192 float32", floats(ROWS, ROWS, ROWS[1])),
    "silu_and_mul": Case("32 Mi float32", floats(ROWS, ROWS)),
    "silu_and_mul_bwd": Case("32 Mi float32", floats(ROWS, ROWS, ROWS)),
    "rotate_halves": Case("32 Mi float32", floats(ROWS, ROWS, ROWS[1], ROWS[1])),
    "quantize_rows": Case("256 Ki rows of 128 float32", floats((256 << 10, 128))),
    "cross_entropy": Case(
        "4096 rows of 8192 float32", lambda random: (*floats(ROWS)(random), random.integers(0, ROWS[1], ROWS[0]))
    ),
    "cross_entropy_bwd": Case(
        "4096 rows of 8192 float32",
        lambda random: (*floats(ROWS[0], ROWS)(random), random.integers(0, ROWS[1], ROWS[0]), *floats(ROWS[0])(random)),
    ),
    "argmax": Case("4096 rows of 8192 float32", floats(ROWS)),
    "scan": Case("4096 rows of 8192 float32", floats(ROWS)),
    "top_k": Case(
        "the 8 largest in each of 1024 rows of 2048 float32", lambda random: (*floats((1024, 2048))(random), 8)
    ),
    "histogram": Case("64 Mi float32 in 64 bins", floats(64 * MI)),
    "weighted_histogram": Case(
        "16 Mi float32 in 1000 bins", lambda random: (random.integers(0, 1000, 16 * MI), *floats(16 * MI)(random), 1000)
    ),
    "kmeans": Case("4 Mi points, 16 centers, float32", floats((4 * MI, 3), (16, 3))),
    "blur": Case("4096 × 4096 float32", floats((4096, 4096))),
    "gray": Case("4096 × 4096 pixels", lambda random: (random.integers(0, 256, (4096, 4096, 3), "u1"),)),
    "bilinear": Case("8 Mi places in 4096 × 4096 float32", lambda random: bilinear(random, 4096, 8 * MI)),
    "laplacian": Case("384 × 384 × 384 float32", floats((384, 384, 384))),
    "mandelbrot": Case("2048 × 2048 complex128, 100 steps", lambda _: (plane(2048), 100)),
    "monte_carlo": Case("100,000,000 samples", lambda _: (100_000_000,)),
    "nbody": Case("16 Ki bodies, float32", floats((16 << 10, 3), 16 << 10)),
}


def bilinear(random: Random, size: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    image, places = floats((size, size), (count, 2))(random)
    return image, places * np.float32(size)
