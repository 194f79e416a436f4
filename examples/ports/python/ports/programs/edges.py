"""The edges of cells: their picture under the Laplacian of a Gaussian."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cuvec.functions import convolve as function
from .cells import cells, show

__all__ = ["draw", "function", "in_numpy", "inputs", "summary"]

SIDE, SIGMA = 9, 1.4  # of the weights, in pixels


def inputs(size: int) -> tuple[NDArray[np.float32], ...]:
    """The picture, and the weights."""
    x = np.arange(SIDE) - SIDE // 2
    square = (x**2 + x[:, np.newaxis] ** 2) / (2 * SIGMA**2)
    weights = (square - 1) * np.exp(-square)
    return cells(size), (weights - weights.mean()).astype("float32")


def in_numpy(image: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """A shifted image for each weight."""
    (height, width), (rows, columns) = weights.shape, image.shape
    padded = np.pad(image, ((height // 2,) * 2, (width // 2,) * 2))
    result = np.zeros_like(image)
    for i, j in np.ndindex(height, width):
        result += weights[-1 - i, -1 - j] * padded[i : i + rows, j : j + columns]
    return result


def summary(result: NDArray[Any]) -> str:
    return f"edges of up to {np.abs(result).max():.3f}"


def draw(axes: Any, result: NDArray[Any]) -> None:
    strength = np.abs(result)
    show(axes, np.minimum(strength, np.quantile(strength, 0.99)), "magma")  # the border is one, too
