"""A head, after L. A. Shepp and B. F. Logan, IEEE Trans. Nucl. Sci. 21 (1974), 21: activity and attenuation."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FIELD_OF_VIEW = 256.0
"""Side of the image, in mm."""

SAMPLES = 4  # a side, in each pixel: edges are not jagged


class Ellipse(NamedTuple):
    """Adds a value to what is inside. Lengths in units of half the field of view, the angle in degrees."""

    value: float
    x: float
    y: float
    a: float
    b: float
    angle: float = 0


ACTIVITY = (
    Ellipse(0.25, 0, 0, 0.69, 0.92),  # skin and bone
    Ellipse(0.75, 0, -0.0184, 0.6624, 0.874),  # brain
    Ellipse(-0.8, 0.22, 0, 0.11, 0.31, -18),  # ventricles
    Ellipse(-0.8, -0.22, 0, 0.16, 0.41, 18),
    Ellipse(1.0, 0, 0.35, 0.21, 0.25),  # what is more active
    Ellipse(1.0, 0, 0.1, 0.046, 0.046),
    Ellipse(1.0, 0, -0.1, 0.046, 0.046),
    Ellipse(1.5, -0.08, -0.605, 0.046, 0.023),
    Ellipse(1.5, 0, -0.605, 0.023, 0.023),
    Ellipse(1.5, 0.06, -0.605, 0.023, 0.046),
)

ATTENUATION = (
    Ellipse(0.0146, 0, 0, 0.69, 0.92),  # bone, per mm, at 511 keV
    Ellipse(-0.0050, 0, -0.0184, 0.6624, 0.874),  # water
)


def draw(ellipses: tuple[Ellipse, ...], size: int, height: float = 0) -> NDArray[np.float64]:
    """The mean of the sum of ellipses over each pixel of an image of `size` by `size`.

    The head is round: at a `height` between -1 and 1 over its middle, everything is smaller.
    """
    fine = size * SAMPLES
    x = ((np.arange(fine) + 0.5) * 2 / fine - 1) / np.sqrt(1 - height**2)
    image = np.zeros((fine, fine))
    for value, x0, y0, a, b, angle in ellipses:
        cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        columns = within(x, x0, np.hypot(a * cosine, b * sine))
        rows = within(-x, y0, np.hypot(a * sine, b * cosine))
        right, up = x[columns] - x0, (-x[rows] - y0)[:, np.newaxis]
        along, across = right * cosine + up * sine, up * cosine - right * sine
        image[rows, columns][(along / a) ** 2 + (across / b) ** 2 <= 1] += value
    mean: NDArray[np.float64] = image.reshape(size, SAMPLES, size, SAMPLES).mean(axis=(1, 3))
    return mean


def within(x: NDArray[np.float64], middle: float, reach: float) -> slice:
    """Where the numbers of a row are so near to its middle."""
    found = np.flatnonzero(np.abs(x - middle) <= reach)
    return slice(found[0], found[-1] + 1) if found.size else slice(0)


def activity(size: int, height: float = 0) -> NDArray[np.float64]:
    """Relative activity; the brain's is 1."""
    return draw(ACTIVITY, size, height)


def attenuation(size: int, height: float = 0) -> NDArray[np.float64]:
    """Attenuation in 1/mm."""
    return draw(ATTENUATION, size, height)
