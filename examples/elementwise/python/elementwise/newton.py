"""Newton's method for z³ = 1 in the complex plane, with the operations of this package alone."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import cuvec
from .cuvec.functions import axpyz, div, imul, isub, mul

Array = NDArray[Any]

ROOTS = np.exp(2j * np.pi * np.arange(3) / 3)


def plane(size: int, half: float = 1.5) -> Array:
    """The complex numbers of a square around 0, `half` to each side of it."""
    axis = np.linspace(-half, half, size)
    return cuvec.asarray(axis - 1j * axis[:, np.newaxis], "complex64")


def newton(z: Array) -> Iterator[Array]:
    """Bring `z` nearer to the roots, in place, and give the last step: z - (z³ - 1) / 3z².

    At 0, where the method divides by zero, it stays.
    """
    one, three = (cuvec.full_like(z, number) for number in (1, 3))
    square, value, step = (cuvec.empty_like(z) for _ in range(3))
    while True:
        mul(z, z, out=square)
        axpyz(-1, one, square, z, out=value)
        imul(square, three)
        div(value, square, default=0, out=step)
        isub(z, step)
        yield step


def colours(z: Array, steps: Array, most: int) -> NDArray[np.float64]:
    """Red, green and blue of each number: the root that it came to, the darker the more steps it took."""
    palette = np.array([(0.98, 0.45, 0.20), (0.20, 0.65, 0.95), (0.55, 0.85, 0.30)])
    nearest = np.abs(z[..., np.newaxis] - ROOTS).argmin(axis=-1)
    shade = 1 - np.sqrt(steps / most)
    rgb: NDArray[np.float64] = palette[nearest] * shade[..., np.newaxis]
    return rgb
