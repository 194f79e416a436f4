"""Tasks of a worker for a slice. Each is a task, and gives the same wherever and however often it is done."""

from itertools import islice
from time import time
from typing import NamedTuple

import numpy as np

from tomography import Scan, osem, scan
from tomography.scanner import Array

TALLEST = 0.9  # height of the first slice and the last one, of 1


class Slice(NamedTuple):
    truth: Array
    """The activity that was there."""
    image: Array
    """Reconstructed image."""
    worker: str
    """Who has done it."""
    started: float
    stopped: float
    """In seconds since 1970."""


def heights(count: int) -> list[float]:
    """Heights of slices, from the bottom to the top of the head."""
    found: list[float] = np.linspace(-TALLEST, TALLEST, count).tolist()
    return found


def one_scan(height: float, seed: int, *, size: int) -> Scan:
    """Counts of the scanner, and its model."""
    return scan(size, angles=size, fwhm=5, height=height, seed=seed)


def one_image(scanned: Scan, *, iterations: int, subsets: int) -> Array:
    """The activity that OSEM finds."""
    *_, last = islice(osem(scanned.scanner, scanned.data, subsets), iterations)
    return np.array(last)


def one_slice(scanned: Scan, *, iterations: int, subsets: int) -> Slice:
    """The image, with who made it and when."""
    from distributed import get_worker

    started = time()
    image = one_image(scanned, iterations=iterations, subsets=subsets)
    worker = str(get_worker().name)
    return Slice(np.array(scanned.truth), image, worker, started, time())
