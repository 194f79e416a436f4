"""Who is near to whom: the distances of all pairs of points, which lie in clusters."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cuvec.functions import distances as function
from .cells import show

__all__ = ["draw", "function", "in_numpy", "inputs", "summary"]

CLUSTERS, AXES = 6, 8


def inputs(size: int) -> tuple[NDArray[np.float32]]:
    """`size` points, one cluster after the other."""
    rng = np.random.default_rng(2)
    middles = rng.normal(0, 2, (CLUSTERS, AXES))
    points = middles[np.arange(size) * CLUSTERS // size] + rng.normal(0, 0.6, (size, AXES))
    return (points.astype("float32"),)


def in_numpy(points: NDArray[Any]) -> NDArray[Any]:
    difference = points[:, np.newaxis] - points
    result: NDArray[Any] = np.sqrt((difference**2).sum(axis=-1))
    return result


def summary(result: NDArray[Any]) -> str:
    return f"distances of up to {result.max():.3f}, {result.mean(dtype='float64'):.3f} on average"


def draw(axes: Any, result: NDArray[Any]) -> None:
    show(axes, result, "viridis")
