"""Draws what the five programs compute."""

from pathlib import Path

from matplotlib import style
from matplotlib.figure import Figure

from .programs import PROGRAMS
from .results import Result


def draw(results: list[Result], output: Path) -> None:
    """Beside each other, under what their function was written with."""
    with style.context(["dark_background", {"font.size": 9, "axes.titlesize": 10}]):
        figure = Figure(figsize=(2.6 * len(results), 3), layout="constrained")
        for axes, result in zip(figure.subplots(1, len(results)), results, strict=True):
            PROGRAMS[result.name].draw(axes, result.array)
            axes.set_title(f"{result.name}: {result.function}")
        figure.savefig(output, dpi=66)
