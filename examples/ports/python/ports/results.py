"""Results of the five programs with the functions of this package."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import cuvec
from .programs import PROGRAMS


class Result(NamedTuple):
    name: str
    """Tool that the function was written with before."""
    function: str
    array: NDArray[Any]
    summary: str
    seconds: float
    """Seconds of the second call: the first may load kernels."""


def results(size: int) -> Iterator[Result]:
    """Results of one program after the other."""
    for name, program in PROGRAMS.items():
        arguments = [cuvec.asarray(array) for array in program.inputs(size)]
        program.function(*arguments)
        started = perf_counter()
        array = program.function(*arguments)
        seconds = perf_counter() - started
        summary = program.summary(np.asarray(array))
        yield Result(name, program.function.__name__, array, summary, seconds)
