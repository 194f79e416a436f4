"""A call of each function before and after: with arrays where each program keeps them, and with NumPy's."""

import functools
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from ports.programs import PROGRAMS

sys.path.insert(0, str(Path(__file__).parents[1] / "from"))

import load

SIZES = {"cpu": 512, "cuda": 2048}


def subjects(subject, size=None):
    """Yield what is measured; `subject(work, who, call)` makes it."""
    size = size or SIZES[os.environ["CUVEC_DEVICE"]]
    with tempfile.TemporaryDirectory() as folder:
        for name, program in PROGRAMS.items():
            inputs = program.inputs(size)
            expected = program.function(*inputs)
            for who, function, arrays in found(name, program, folder):
                call = functools.partial(function, *map(arrays, inputs))
                np.testing.assert_allclose(call(), expected, rtol=1e-3, atol=1e-3, err_msg=who)
                yield subject(f"{name}: {program.function.__name__}", who, call)


def found(name, program, folder):
    """Yield who there is: the function, and what makes the arrays that it takes."""
    if not load.why_not(name):
        before = load.imported(load.built(name, folder) / "before.py")
        yield "before", getattr(before, program.function.__name__), before.arrays
    yield "after", program.function, load.imported(load.FROM / name / "after.py").arrays
    yield "after, NumPy arrays", program.function, np.asarray
    if os.environ["CUVEC_DEVICE"] == "cpu":
        yield "NumPy", program.in_numpy, np.asarray
