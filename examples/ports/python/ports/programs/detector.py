"""Corrected picture of a detector: its image of cells without the dark current and the lamp's unevenness."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cuvec.functions import flatfield as function
from .cells import cells, show

__all__ = ["draw", "function", "in_numpy", "inputs", "summary"]


def inputs(size: int) -> tuple[NDArray[np.float32], ...]:
    """The raw picture, one without light, and one of the lamp alone."""
    rng = np.random.default_rng(3)
    x = np.linspace(-1, 1, size)
    lamp = 4000 * np.exp(-(x**2) - x[:, np.newaxis] ** 2)
    dark = rng.uniform(90, 110, (size, size))
    flat = dark + lamp * rng.uniform(0.8, 1, size)  # each column has an amplifier
    flat[rng.integers(0, size, size // 16), rng.integers(0, size, size // 16)] = 0  # dead pixels
    raw = dark + np.maximum(flat - dark, 0) * cells(size)
    return tuple(a.astype("float32") for a in (raw, dark, flat))


def in_numpy(raw: NDArray[Any], dark: NDArray[Any], flat: NDArray[Any]) -> NDArray[Any]:
    lit = flat > dark
    seen: NDArray[Any] = np.divide(raw - dark, flat - dark, out=np.zeros_like(raw), where=lit)
    return seen


def summary(result: NDArray[Any]) -> str:
    return f"grey values of up to {result.max():.3f}, {result.mean(dtype='float64'):.3f} on average"


def draw(axes: Any, result: NDArray[Any]) -> None:
    show(axes, result)
