"""How well two pictures of the same cells lie on each other: how often which grey values meet."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cuvec.functions import joint_histogram as function
from .cells import cells, show

__all__ = ["draw", "function", "in_numpy", "inputs", "summary"]

BINS = 64


def inputs(size: int) -> tuple[NDArray[np.float32], ...]:
    """A picture, and one with another stain, which is brightest where the first is grey."""
    rng = np.random.default_rng(4)
    first = cells(size)
    other = 0.9 * np.sin(np.pi * first) ** 2 + rng.normal(0, 0.02, first.shape)
    return first, other.clip(0, 1).astype("float32")


def in_numpy(a: NDArray[Any], b: NDArray[Any], bins: int = BINS) -> NDArray[np.int64]:
    counts, *_ = np.histogram2d(a.ravel(), b.ravel(), bins, range=((0, 1), (0, 1)))
    exact: NDArray[np.int64] = counts.astype("int64")
    return exact


def summary(result: NDArray[Any]) -> str:
    """With the mutual information, which is highest where the pictures lie on each other."""
    together = result / result.sum()
    apart = together.sum(axis=1, keepdims=True) * together.sum(axis=0)
    there = together > 0
    bits = np.sum(together[there] * np.log2(together[there] / apart[there]))
    return f"{result.sum():,} pairs of grey values, mutual information {bits:.3f} bits"


def draw(axes: Any, result: NDArray[Any]) -> None:
    show(axes, np.log1p(result[:, ::-1].T), "magma")
