"""From counts to an image. NumPy and kernels work on the same memory, without a copy."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from . import cuvec
from .cuvec.functions import backproject, em_ratio, em_update
from .scanner import Array, Scanner

OWN_STREAM = (
    2  # of the calling thread: calls follow each other on the GPU, and Python does not wait
)


def mlem(scanner: Scanner, data: Array) -> Iterator[Array]:
    """The image after each iteration of maximum-likelihood expectation maximization.

    L. A. Shepp and Y. Vardi, IEEE Trans. Med. Imaging 1 (1982), 113. It is the same memory each time.
    """
    return osem(scanner, data, 1)


def osem(scanner: Scanner, data: Array, subsets: int) -> Iterator[Array]:
    """The same with ordered subsets: an update for every `subsets`-th angle, then for the next ones.

    H. M. Hudson and R. S. Larkin, IEEE Trans. Med. Imaging 13 (1994), 601.
    """
    if not 1 <= subsets <= len(data):
        raise ValueError(
            f"there are {len(data)} angles, which do not make {subsets} subsets: choose 1 to {len(data)}"
        )
    if data.shape != scanner.factors.shape:
        raise ValueError(
            f"the data has the shape {data.shape}, the scanner {scanner.factors.shape}"
        )
    return _osem(scanner, data, subsets)


class _Part(NamedTuple):
    """A subset: its angles, its data, and what its rays see of each pixel."""

    scanner: Scanner
    data: Array
    sensitivity: Array


def _osem(scanner: Scanner, data: Array, subsets: int) -> Iterator[Array]:
    parts = []
    for first in _far_apart(subsets):
        part = scanner.subset(first, subsets)
        parts.append(_Part(part, cuvec.copy(data[first::subsets]), part.adjoint(part.factors)))
    image = scanner.visible()
    while True:
        for part, counts, sensitivity in parts:
            projected = part.forward(image, OWN_STREAM)
            ratio = em_ratio(counts, projected, part.factors, part.background, stream=OWN_STREAM)
            em_update(image, part.adjoint(ratio, OWN_STREAM), sensitivity, stream=OWN_STREAM)
        cuvec.dev_sync()
        yield image


def _far_apart(subsets: int) -> list[int]:
    """The subsets in an order in which those that follow each other see other sides: bits reversed."""
    bits = (subsets - 1).bit_length()
    return sorted(range(subsets), key=lambda number: f"{number:0{bits}b}"[::-1])


def fbp(scanner: Scanner, data: Array) -> Array:
    """Filtered backprojection of the corrected data, smoothed to the resolution: what came before EM.

    A. C. Kak and M. Slaney, Principles of Computerized Tomographic Imaging (1988), section 3.3.
    """
    corrected = (data - scanner.background) / scanner.factors
    angles, bins = corrected.shape
    distance = np.fft.fftfreq(2 * bins, 1 / (2 * bins))
    kernel = np.where(
        distance % 2 == 1, -1 / (np.pi * np.where(distance == 0, 1, distance)) ** 2, 0
    )
    kernel[0] = 0.25
    spectrum = np.fft.rfft(corrected, 2 * bins) * np.fft.rfft(kernel).real
    filtered = cuvec.asarray(np.fft.irfft(spectrum)[:, :bins], data.dtype)
    image = backproject(filtered, scanner.directions, scanner.size, scanner.size)
    image *= np.pi / angles
    return scanner.resolved(image)


def log_likelihood(scanner: Scanner, data: Array, image: Array) -> float:
    """The logarithm of the probability of `data`, but for a term that the image does not change. In float64."""
    expected = np.asarray(scanner.expected(image), "float64")
    return float(np.sum(data * np.log(np.where(expected > 0, expected, 1)) - expected))
