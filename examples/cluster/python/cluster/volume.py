"""A volume, slice by slice, on workers that may die."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import time
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from tomography.results import error
from tomography.scanner import Array

from .slices import Slice, one_scan, one_slice
from .workers import kill_one

if TYPE_CHECKING:
    from distributed import Client, Future


@dataclass
class Volume:
    """What the slices of a head gave, from the bottom to the top."""

    slices: list[Slice]
    started: float
    """When the first was asked for, in seconds since 1970."""
    stopped: float
    killed: list[tuple[str, float]] = field(default_factory=list)
    """Workers that died, and when."""

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
        lines += [f"worker {name} was killed, and nothing is missing" for name, _ in self.killed]
        return "\n".join(lines)


def reconstruct(
    client: "Client",
    heights: Sequence[float],
    *,
    size: int,
    iterations: int,
    subsets: int,
    kill: int = 0,
) -> Volume:
    """Scans that the workers simulate, then the image of each. With `kill`, a worker dies after so many images.

    What is lost with a worker is done again: scans that it held, images that it held or was at.
    """
    scans = client.map(one_scan, heights, range(len(heights)), size=size)
    for _ in finished(scans, "scan"):
        pass
    started = time()
    images = client.map(one_slice, scans, iterations=iterations, subsets=subsets, pure=False)
    killed = []
    for number in finished(images, "image"):
        if number == kill:
            killed.append((kill_one(client), time()))
    return Volume(client.gather(images), started, time(), killed)  # type: ignore[no-untyped-call]


def finished(futures: list["Future[Any]"], unit: str) -> Iterator[int]:
    """How many of them are done, each time that one is."""
    from distributed import as_completed

    done = as_completed(futures)  # type: ignore[no-untyped-call]
    bar = tqdm(done, total=len(futures), unit=unit, leave=False, disable=None)
    for number, _ in enumerate(bar, 1):
        yield number
