"""A plate on which two substances react and spread."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import cuvec
from .cuvec.functions import gray_scott

Array = NDArray[Any]

OWN_STREAM = 2  # of the calling thread: calls follow each other without waiting


@dataclass
class Plate:
    """U and V of each cell, as the real and the imaginary part of a number."""

    cells: Array
    feed: Array
    """Value of each column."""
    kill: Array
    """Value of each row."""

    def __post_init__(self) -> None:
        self._next = cuvec.empty_like(self.cells)

    @property
    def v(self) -> NDArray[np.float32]:
        """How much V there is."""
        return np.asarray(self.cells).imag

    def steps(self, count: int) -> None:
        """Go on by so many steps."""
        for _ in range(count):
            gray_scott(self.cells, self.feed, self.kill, out=self._next, stream=OWN_STREAM)
            self.cells, self._next = self._next, self.cells
        cuvec.dev_sync()


def seeded(size: int, feed: tuple[float, float], kill: tuple[float, float], seed: int = 1) -> Plate:
    """A plate full of U, with spots of V at random. From left to right `feed` goes from one number to the other, from
    bottom to top `kill` does.
    """
    rng = np.random.default_rng(seed)
    cells = np.ones((size, size), "complex64")
    spot = np.arange(-3, 4)
    for i, j in rng.integers(0, size, (max(1, size * size // 600), 2)):
        cells[np.ix_((i + spot) % size, (j + spot) % size)] = 0.5 + 0.25j
    cells += 0.01 * rng.standard_normal(cells.shape)
    rows, columns = np.linspace(*kill, size)[::-1], np.linspace(*feed, size)
    rates = [cuvec.asarray(a, "float32") for a in (columns, rows)]
    for rate in rates:
        rate.prefetch("device")  # they are small, but every cell reads them
    return Plate(cuvec.asarray(cells), *rates)
