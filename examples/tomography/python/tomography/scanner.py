"""Expected counts of a scanner."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import cuvec
from .cuvec.functions import backproject, blur, project

Array = NDArray[Any]

FWHM = np.sqrt(8 * np.log(2))
"""The width of a Gaussian at half of its height, in sigma."""


def directions(angles: int, dtype: str = "float32") -> Array:
    """cos and sin of `angles` angles over half a turn."""
    turn = np.pi * np.arange(angles) / angles
    return _moved(cuvec.asarray(np.stack([np.cos(turn), np.sin(turn)], axis=1), dtype))


def _moved(array: cuvec.CuVec) -> Array:
    """A small array, which would not be moved for a few reads, and which every ray reads."""
    array.prefetch("device")
    return array


@dataclass(frozen=True)
class Scanner:
    """The counts `factors * P G image + background`: P are the integrals along rays, G is the resolution.

    An image has `size` by `size` pixels, a sinogram a row for each angle and as many rays, a pixel apart. With `stream`
    a method does not wait for the GPU.
    """

    size: int
    directions: Array
    factors: Array
    """Share that attenuation and the detectors let through, for each ray. Counts per activity."""
    background: Array
    """For each ray: counts of scattered and random coincidences."""
    fwhm: float = 0
    """Resolution in pixels, or 0 for none."""

    def forward(self, image: Array, stream: int | None = None) -> Array:
        """P G image."""
        return project(self.resolved(image, stream), self.directions, self.size, stream=stream)

    def adjoint(self, sinogram: Array, stream: int | None = None) -> Array:
        """Gᵀ Pᵀ sinogram, and G is its own transpose."""
        image = backproject(sinogram, self.directions, self.size, self.size, stream=stream)
        return self.resolved(image, stream)

    def resolved(self, image: Array, stream: int | None = None) -> Array:
        """G image."""
        return blur(image, self.fwhm / FWHM, stream=stream) if self.fwhm else image

    def expected(self, image: Array) -> Array:
        """The mean of the counts."""
        return self.factors * self.forward(image) + self.background

    def subset(self, first: int, step: int) -> "Scanner":
        """The same with every `step`-th angle."""
        every = slice(first, None, step)
        return replace(
            self,
            directions=_moved(cuvec.copy(self.directions[every])),
            factors=cuvec.copy(self.factors[every]),
            background=cuvec.copy(self.background[every]),
        )

    def visible(self) -> Array:
        """1 in the circle that every angle sees, 0 beyond."""
        place = np.arange(self.size) - (self.size - 1) / 2
        inside = place**2 + place[:, np.newaxis] ** 2 <= (self.size / 2) ** 2
        return _moved(cuvec.asarray(inside, self.factors.dtype))
