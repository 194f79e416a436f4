"""Draws stages of a plate."""

from pathlib import Path

import numpy as np
from matplotlib import style
from matplotlib.figure import Figure
from numpy.typing import NDArray

from .plate import Plate


def draw(stages: list[tuple[int, NDArray[np.float32]]], plate: Plate, output: Path) -> None:
    """V after some numbers of steps, beside each other."""
    feed, kill = (np.asarray(numbers) for numbers in (plate.feed, plate.kill))
    extent = (float(feed[0]), float(feed[-1]), float(kill[-1]), float(kill[0]))
    with style.context(["dark_background", {"font.size": 9}]):
        figure = Figure(figsize=(3.6 * len(stages), 4), layout="constrained")
        for axes, (step, v) in zip(
            np.atleast_1d(figure.subplots(1, len(stages))), stages, strict=True
        ):
            axes.imshow(
                v,
                cmap="magma",
                vmin=0,
                vmax=0.4,
                aspect="auto",
                extent=extent,
                interpolation="none",
            )
            axes.set(title=f"V after {step:,} steps", xlabel="feed", ylabel="kill")
            axes.label_outer()
        figure.savefig(output, dpi=110)
