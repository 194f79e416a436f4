"""Draws a volume, and who reconstructed which slice when."""

from pathlib import Path
from typing import Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tomography.phantom import FIELD_OF_VIEW

from .slices import TALLEST
from .volume import Volume

COLOURS = "inferno"
WORKERS = ("#4cc9f0", "#fca311", "#90be6d", "#f72585")


def draw(volume: Volume, output: Path) -> None:
    """Three cuts through the volume over the work of each worker."""
    with style.context(["dark_background", {"font.size": 9, "axes.titlesize": 10}]):
        figure = Figure(figsize=(10, 5.4), layout="constrained")
        axes = figure.subplot_mosaic(
            [["across", "front", "side"], ["work"] * 3], height_ratios=(3, 1.2)
        )
        cuts(axes, volume)
        work(axes["work"], volume)
        figure.savefig(output, dpi=80)


def cuts(axes: dict[str, Axes], volume: Volume) -> None:
    """Through the middle, in three directions."""
    image, half = volume.image, FIELD_OF_VIEW / 2
    layers, rows, columns = image.shape
    tall = (-half, half, -TALLEST * half, TALLEST * half)
    shown = {
        "across": (image[layers // 2], (-half, half, -half, half), "upper"),
        "front": (image[:, rows // 2], tall, "lower"),
        "side": (image[:, :, columns // 2], tall, "lower"),
    }
    for name, (cut, extent, origin) in shown.items():
        place: Any = axes[name]
        place.imshow(cut, cmap=COLOURS, vmin=0, vmax=2.3, extent=extent, origin=origin)
        place.set(title=name, xlabel="mm")


def work(axes: Axes, volume: Volume) -> None:
    """A bar for each slice, in the row of the worker that made it."""
    names = sorted({one.worker for one in volume.slices} | {name for name, _ in volume.lost})
    for row, name in enumerate(names):
        bars = [
            (one.started - volume.started, one.stopped - one.started)
            for one in volume.slices
            if one.worker == name
        ]
        colour = WORKERS[row % len(WORKERS)]
        axes.broken_barh(bars, (row - 0.35, 0.7), facecolors=colour, edgecolors="black")
    for name, at in volume.lost:
        axes.axvline(at - volume.started, color="red", linestyle=":")
        axes.plot(at - volume.started, names.index(name), "rX", markersize=10)
    axes.set_yticks(range(len(names)), [f"worker {name}" for name in names])
    dead = "; a cross: lost. In the gaps its scans are made again" if volume.lost else ""
    axes.set(xlabel="seconds", xlim=(0, volume.seconds), title=f"who made which slice{dead}")
