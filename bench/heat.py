"""A stencil that was added to a package, written in one of two languages: right numbers, and how long a large one takes.

heat.py MODULE FUNCTION [TIME.json]: without the last, small matrices for the sanitizers to watch.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import cupy as cp
import numpy as np

RATE = np.float32(0.2)
SHAPES = [(1, 1), (1, 70), (31, 33), (32, 32), (65, 3), (257, 130)]
LARGE = (16384, 8192)

Heat = Callable[..., None]


def expected(x: np.ndarray) -> np.ndarray:
    """The same in double precision; beyond an edge is what is at the edge."""
    padded = np.pad(x.astype("f8"), 1, mode="edge")
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return x + RATE * (around - 4 * x.astype("f8"))


def check(heat: Heat) -> None:
    random = np.random.default_rng(3)
    for shape in SHAPES:
        x = random.random(shape, dtype="f4")
        y = cp.full(shape, cp.nan, dtype="f4")
        heat(RATE, cp.asarray(x), y)
        np.testing.assert_allclose(y.get(), expected(x), rtol=0, atol=4e-7)


def milliseconds(heat: Heat) -> float:
    """Seconds of one call, the median of ten batches of twenty on a stream."""
    x = cp.random.default_rng(4).random(LARGE, dtype=cp.float32)
    y = cp.empty_like(x)
    cp.cuda.Device().synchronize()
    stream = cp.cuda.Stream(non_blocking=True)
    times = []
    for _ in range(10):
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record(stream)
        for _ in range(20):
            heat(RATE, x, y, stream=stream)
        end.record(stream)
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(start, end) / 20)
    return statistics.median(times)


def main(module: str, function: str, output: Path | None = None) -> None:
    heat = getattr(import_module(module), function)
    check(heat)
    if output:
        output.write_text(json.dumps(milliseconds(heat)))


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(Path, sys.argv[3:]))
