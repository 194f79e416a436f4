"""Cells under a microscope."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

COUNT = 40


def cells(size: int, seed: int = 1) -> NDArray[np.float32]:
    """A picture of `size` by `size` grey values between 0 and 1."""
    rng = np.random.default_rng(seed)
    x = (np.arange(size) + 0.5) / size
    picture = np.full((size, size), 0.1)
    for column, row, radius, grey in rng.uniform((0, 0, 0.03, 0.3), (1, 1, 0.09, 0.9), (COUNT, 4)):
        distance = np.hypot(x - column, (x - row)[:, np.newaxis])
        inside = 1 / (1 + np.exp(np.clip((distance - radius) / 0.004, -50, 50)))
        picture = np.maximum(picture, grey * inside * (1 - 0.4 * distance / radius))
    return picture.astype("float32")


def show(axes: Any, picture: NDArray[Any], colours: str = "gray") -> None:
    axes.imshow(picture, cmap=colours, interpolation="nearest")
    axes.set_axis_off()
