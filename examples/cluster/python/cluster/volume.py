"""A volume, slice by slice, on workers that may die."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import time
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from tomography.results import error
from tomography.scanner import Array

from .slices import Slice, one_scan, one_slice

if TYPE_CHECKING:
    from distributed import Client, Future

Loss = Callable[["Client"], Sequence[str]]
"""Something that goes wrong. It gives the names of the workers that are lost."""


@dataclass
class Volume:
    """Results for the slices of a head, from the bottom to the top."""

    slices: list[Slice]
    started: float
    """When the first was asked for, in seconds since 1970."""
    stopped: float
    lost: list[tuple[str, float]] = field(default_factory=list)
    """Workers that were lost, and when."""

    @property
    def truth(self) -> Array:
        return np.stack([one.truth for one in self.slices])

    @property
    def image(self) -> Array:
        return np.stack([one.image for one in self.slices])

    @property
    def seconds(self) -> float:
        return self.stopped - self.started

    def told(self) -> str:
        """How good, how fast, and who did what."""
        errors = [error(one.image, one.truth) for one in self.slices]
        lines = [f"{len(errors)} slices, error {min(errors):.1%} to {max(errors):.1%}"]
        lines.append(f"{self.seconds:.2f} s: {len(errors) / self.seconds:.1f} slices a second")
        for name in sorted({one.worker for one in self.slices}):
            mine = [one.stopped - one.started for one in self.slices if one.worker == name]
            lines.append(f"worker {name}: {len(mine)} slices, {1000 * np.mean(mine):.1f} ms each")
        lines += [f"worker {name} was lost, and nothing is missing" for name, _ in self.lost]
        return "\n".join(lines)


def reconstruct(
    client: "Client",
    heights: Sequence[float],
    *,
    size: int,
    iterations: int,
    subsets: int,
    losses: Mapping[int, Loss] | None = None,
) -> Volume:
    """Scans that the workers simulate, then the image of each. With `losses`, something goes wrong after so many images.

    What is lost with a worker is done again: scans that it held, images that it held or was at.
    """
    scans = client.map(one_scan, heights, range(len(heights)), size=size)
    for _ in finished(scans, "scan"):
        pass
    started = time()
    images = client.map(one_slice, scans, iterations=iterations, subsets=subsets, pure=False)
    lost = []
    for number in finished(images, "image"):
        if losses and number in losses:
            names = losses[number](client)
            lost += [(name, time()) for name in names]
    return Volume(client.gather(images), started, time(), lost)  # type: ignore[no-untyped-call]


def finished(futures: list["Future[Any]"], unit: str) -> Iterator[int]:
    """How many of them are done, each time that one is."""
    from distributed import as_completed

    done = as_completed(futures)  # type: ignore[no-untyped-call]
    bar = tqdm(done, total=len(futures), unit=unit, leave=False, disable=None)
    for number, _ in enumerate(bar, 1):
        yield number
