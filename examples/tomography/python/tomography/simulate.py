"""A scan of the phantom."""

from typing import NamedTuple

import numpy as np

from . import cuvec, phantom
from .cuvec.functions import project
from .scanner import Array, Scanner, directions

FINER = (
    2  # pixels and rays of the simulation, a side: it is not what the reconstruction computes with
)
BACKGROUND = 0.2  # of all counts


class Scan(NamedTuple):
    scanner: Scanner
    data: Array
    """Counts of each ray."""
    truth: Array
    """The activity that was there."""


def scan(
    size: int = 128,
    *,
    angles: int = 180,
    counts: float = 4e6,
    fwhm: float = 5,
    height: float = 0,
    seed: int = 1,
    dtype: str = "float32",
) -> Scan:
    """`counts` coincidences, about, of a head in a scanner with a resolution of `fwhm` mm.

    `height` is where the slice is, between -1 and 1. Each ray is Poisson distributed, one in five counts is background, detectors differ by a tenth.
    """
    rng = np.random.default_rng(seed)
    way, pixel = directions(angles, dtype), phantom.FIELD_OF_VIEW / size
    fine = Scanner(size * FINER, way, way, way, fwhm / pixel * FINER)
    truth = cuvec.asarray(phantom.activity(size, height), dtype)

    def integrals(image: Array, resolution: bool) -> Array:
        """In pixels of the reconstruction, with the mean of the finer rays."""
        image = cuvec.asarray(image, dtype)
        image = fine.resolved(image) if resolution else image
        rays = project(image, way, fine.size)
        mean: Array = rays.reshape(angles, size, FINER).mean(axis=2)
        return mean / FINER

    through = np.exp(-pixel * integrals(phantom.attenuation(fine.size, height), False))
    efficiency = rng.normal(1, 0.1, through.shape).clip(0.5, 1.5)
    seen = through * efficiency * integrals(phantom.activity(fine.size, height), True)
    scale = counts * (1 - BACKGROUND) / seen.sum()
    background = np.full_like(seen, counts * BACKGROUND / seen.size)
    scanner = Scanner(
        size,
        way,
        cuvec.asarray(through * efficiency * scale, dtype),
        cuvec.asarray(background, dtype),
        fwhm / pixel,
    )
    return Scan(scanner, cuvec.asarray(rng.poisson(seen * scale + background), dtype), truth)
