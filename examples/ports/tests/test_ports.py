"""Programs print the same before and after the port."""

import sys
from pathlib import Path

import numpy as np
import pytest

from ports import cuvec
from ports.programs import PROGRAMS

sys.path.insert(0, str(Path(__file__).parents[1] / "from"))

import load

SIZE = 64


@pytest.fixture(params=PROGRAMS)
def name(request):
    return request.param


def test_after_prints_what_numpy_gives(name):
    program = PROGRAMS[name]
    shown = load.printed(load.FROM / name / "after.py", SIZE)
    assert shown == program.summary(program.in_numpy(*program.inputs(SIZE))) + "\n"


def test_before_prints_what_after_does(name, tmp_path):
    if reason := load.why_not(name):
        pytest.skip(reason)
    before, after = load.built(name, tmp_path) / "before.py", load.FROM / name / "after.py"
    assert load.printed(before, SIZE) == load.printed(after, SIZE)


def test_before_gives_what_after_does(name, tmp_path):
    if reason := load.why_not(name):
        pytest.skip(reason)
    program, before = PROGRAMS[name], load.imported(load.built(name, tmp_path) / "before.py")
    inputs = program.inputs(SIZE)
    given = getattr(before, program.function.__name__)(*map(before.arrays, inputs))
    np.testing.assert_allclose(given, program.function(*inputs), rtol=1e-4, atol=1e-5)


if cuvec.device().kind == "cpu":  # on a GPU it runs as it is

    def test_the_kernel_of_numba_in_its_simulator():
        pytest.importorskip("numba")
        shown = load.printed(load.FROM / "numba/before.py", SIZE, NUMBA_ENABLE_CUDASIM="1")
        assert shown == load.printed(load.FROM / "numba/after.py", SIZE)


def test_every_folder_shows_how_to_run_it(name):
    for when in ("before", "after"):
        assert load.commands(load.FROM / name / f"{when}.py")[-1] == f"python {when}.py"
    assert {path.parent.name for path in load.FROM.glob("*/before.py")} == set(PROGRAMS)
