"""Result of a reconstruction, and how far it is from the truth."""

from dataclasses import dataclass, field

import numpy as np

from .scanner import Array
from .simulate import Scan


def error(image: Array, truth: Array) -> float:
    """The root of the mean squared error where there is activity, as a part of the root mean square of the activity."""
    there = truth > 0
    difference = np.asarray(image - truth, "float64")[there]
    return float(
        np.sqrt(np.mean(difference**2) / np.mean(np.asarray(truth, "float64")[there] ** 2))
    )


@dataclass
class Result:
    """An algorithm, its last image, and how it came there."""

    name: str
    image: Array | None = None
    seconds: list[float] = field(default_factory=list)
    likelihoods: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)

    def add(
        self, image: Array, truth: Array, seconds: float, likelihood: float | None = None
    ) -> None:
        """After an iteration."""
        self.image = np.array(image)
        self.seconds.append(seconds)
        self.errors.append(error(image, truth))
        if likelihood is not None:
            self.likelihoods.append(likelihood)


@dataclass
class Results:
    scan: Scan
    all: list[Result]

    def table(self) -> str:
        """A line for each: how far it is from the truth, its likelihood, and its time."""
        lines = [f"{'':26}{'error':>8}{'log-likelihood':>18}{'ms an iteration':>18}"]
        for result in self.all:
            likelihood = f"{result.likelihoods[-1]:,.0f}" if result.likelihoods else "–"
            # The first iteration may load kernels.
            milliseconds = 1000 * np.median(result.seconds[1:] or result.seconds)
            lines.append(
                f"{result.name:26}{result.errors[-1]:8.1%}{likelihood:>18}{milliseconds:18.2f}"
            )
        return "\n".join(lines)
