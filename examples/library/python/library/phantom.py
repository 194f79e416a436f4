"""A head to scan, and a scanner that sees all of it."""

import numpy as np
from numpy.typing import NDArray

from .cuvec.functions import Ellipse, Geometry

HEAD = [
    (0, 0, 0.69, 0.92, 0, 1),
    (0, -0.0184, 0.6624, 0.874, 0, -0.8),
    (0.22, 0, 0.11, 0.31, -18, -0.2),
    (-0.22, 0, 0.16, 0.41, 18, -0.2),
    (0, 0.35, 0.21, 0.25, 0, 0.1),
    (0, 0.1, 0.046, 0.046, 0, 0.1),
    (0, -0.1, 0.046, 0.046, 0, 0.1),
    (-0.08, -0.605, 0.046, 0.023, 0, 0.1),
    (0, -0.606, 0.023, 0.023, 0, 0.1),
    (0.06, -0.605, 0.023, 0.046, 0, 0.1),
]
"""Centers, half axes, degrees, and densities that add up: Shepp and Logan 1974, with Toft's contrast."""


def phantom() -> NDArray[np.void]:
    """The head as structs of the library, between -1 and 1."""
    ellipses = np.array(HEAD, Ellipse)
    ellipses["angle"] *= np.pi / 180
    return ellipses


def scanner(size: int) -> NDArray[np.void]:
    """The geometry of `size` bins, and of as many pixels a side."""
    geometry = np.zeros((), Geometry)
    geometry["bin_width"] = geometry["pixel_width"] = 2 / size
    return geometry
