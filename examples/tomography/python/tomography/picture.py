"""Draws what was measured and what was reconstructed."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from .phantom import FIELD_OF_VIEW
from .results import Results
from .scanner import Array

COLOURS = "inferno"


def draw(results: Results, output: Path) -> None:
    """Write a picture of the scan, the reconstructions, and how they converge."""
    _, data, truth = results.scan
    filtered, *iterative = results.all
    with style.context(["dark_background", {"font.size": 9, "axes.titlesize": 10}]):
        figure = Figure(figsize=(11, 7.2), layout="constrained")
        axes = figure.subplots(2, 3)
        top = 1.15 * float(truth.max())
        _image(axes[0, 0], truth, "activity", top)
        _image(
            axes[0, 1],
            data,
            f"measured: {data.sum():,.0f} counts",
            float(data.max()),
            "radial position, mm",
            "angle, °",
        )
        axes[0, 1].images[0].set_extent((-FIELD_OF_VIEW / 2, FIELD_OF_VIEW / 2, 180, 0))
        axes[0, 1].set_aspect("auto")
        for place, result in zip(
            (axes[0, 2], axes[1, 0], axes[1, 1]),
            (filtered, iterative[2], iterative[1]),
            strict=True,
        ):
            _image(place, result.image, f"{result.name}: error {result.errors[-1]:.0%}", top)
        figure.colorbar(axes[0, 2].images[0], ax=axes[0, 2], label="activity; brain = 1")
        convergence = axes[1, 2]
        for colour, result in zip(("#4cc9f0", "#f72585", "#fca311"), iterative, strict=True):
            convergence.plot(
                range(1, len(result.errors) + 1), result.errors, color=colour, label=result.name
            )
        convergence.axhline(filtered.errors[-1], color="#888", linestyle=":", label="FBP")
        convergence.set(xlabel="iteration", title="error against the activity", ylim=(0, None))
        convergence.yaxis.set_major_formatter(PercentFormatter(1, 0))
        convergence.legend(frameon=False)
        figure.savefig(output, dpi=100)


def draw_volume(heights: Sequence[float], slices: list[tuple[Array, Array]], output: Path) -> None:
    """Write a picture of slices, each as it was and as it was reconstructed."""
    top = 1.15 * max(float(truth.max()) for truth, _ in slices)
    with style.context(["dark_background", {"font.size": 9, "axes.titlesize": 10}]):
        figure = Figure(figsize=(1.9 * len(slices), 4), layout="constrained")
        axes = figure.subplots(2, len(slices), squeeze=False)
        for column, height in enumerate(heights):
            for row, image in enumerate(slices[column]):
                title = f"{height * FIELD_OF_VIEW / 2:+.0f} mm" if row == 0 else ""
                _image(axes[row, column], image, title, top)
        figure.savefig(output, dpi=100)


def _image(axes: Axes, image: Array | None, title: str, top: float, *labels: str) -> None:
    assert image is not None
    axes.imshow(image, cmap=COLOURS, vmin=0, vmax=top, interpolation="nearest")
    axes.set_title(title)
    if labels:
        axes.set(xlabel=labels[0], ylabel=labels[1])
    else:
        axes.set_axis_off()
