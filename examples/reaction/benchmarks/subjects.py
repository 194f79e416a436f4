"""Cells a second, beside the same scheme in CUDA C++, Numba and NumPy."""

import functools
import os

import numpy as np
import rivals

from reaction import seeded

SIZES = {"cpu": (256, 1024), "cuda": (1024, 4096)}
STEPS = 20  # of a call


def subjects(subject, size=None):
    """Yield what is measured; `subject(work, who, call, amount, unit)` makes it."""
    on_gpu = os.environ["CUVEC_DEVICE"] == "cuda"
    for side in [size] if size else SIZES["cuda" if on_gpu else "cpu"]:
        plate = seeded(side, (0.02, 0.06), (0.05, 0.065))
        for who, (steps, cells) in found(plate, on_gpu):
            check(cells, steps, side)
            amount = STEPS * side * side / 1e9
            yield subject(
                f"{side} × {side} cells", who, functools.partial(steps, STEPS), amount, "billion/s"
            )


def found(plate, on_gpu):
    """Yield who there is, and how each goes on."""
    yield "this package: Rust", (plate.steps, lambda: plate.cells)
    start = seeded(len(plate.cells), (0.02, 0.06), (0.05, 0.065))
    if not on_gpu:
        yield "NumPy", rivals.numpy(start)
    if not on_gpu and rivals.available("numba"):
        yield "Numba", rivals.numba_cpu(start)
    if on_gpu and rivals.available("cupy"):
        yield "CUDA C++, tiles in shared memory", rivals.cuda(start)
    if on_gpu and rivals.available("numba"):
        yield "Numba", rivals.numba_cuda(start)


def check(cells, steps, side):
    """Checks that the scheme is the same."""
    expected = seeded(side, (0.02, 0.06), (0.05, 0.065))
    expected.steps(STEPS)
    steps(STEPS)
    np.testing.assert_allclose(cells(), expected.cells, atol=1e-5)
