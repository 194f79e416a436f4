"""Newton's method against NumPy and against the roots."""

import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from elementwise.newton import ROOTS, colours, newton, plane


def test_comes_to_the_roots():
    z = plane(60)
    for _ in islice(newton(z), 50):
        pass
    distance = np.abs(z[..., np.newaxis] - ROOTS)
    assert np.mean(distance.min(axis=-1) < 1e-6) > 0.999
    assert {0, 1, 2} == set(distance.argmin(axis=-1).ravel())


def test_a_step_matches_numpy():
    z = plane(64)
    start = np.array(z, "complex128")
    step = next(newton(z))
    np.testing.assert_allclose(step, (start**3 - 1) / (3 * start**2), rtol=1e-4)
    np.testing.assert_allclose(z, start - step, rtol=1e-5)


def test_zero_stays():
    z = plane(3)
    for step in islice(newton(z), 3):
        assert step[1, 1] == 0
    assert z[1, 1] == 0


def test_colours():
    z = plane(8)
    rgb = colours(z, np.full(z.shape, 2), 8)
    assert rgb.shape == (8, 8, 3)
    assert rgb.min() > 0
    assert rgb.max() < 0.5


def command(*arguments, status=0):
    words = [sys.executable, "-m", "elementwise", "--size", "32", *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def test_draws_a_picture(tmp_path):
    assert "device: cpu" in command("--device", "cpu", "--output", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "0"], "--size must be 1 or more"),
        (["--iterations", "-2"], "--iterations must be 1 or more"),
        (["--output", "no/such/folder.png"], "there is no folder"),
        (["--output", "picture.docx"], "--output must end in"),
        (["--device", "tpu"], "--device"),
    ],
)
def test_wrong_input(arguments, message):
    shown = command(*arguments, status=2)
    assert message in shown
    assert "Traceback" not in shown
