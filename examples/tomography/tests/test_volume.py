"""`python -m tomography.volume`: slices on the workers of Dask."""

import re
import subprocess
import sys

import numpy as np
import pytest

from tomography.results import error
from tomography.volume import TALLEST, one_image, one_scan

SMALL = ["--size", "32", "--slices", "3", "--iterations", "2", "--subsets", "4"]


def command(*arguments, status=0):
    words = [sys.executable, "-m", "tomography.volume", *SMALL, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def test_workers_reconstruct_what_one_process_does(tmp_path):
    shown = command("--workers", 2, "--output", tmp_path / "volume.png")
    assert "3 slices on 2 workers" in shown
    heights = np.linspace(-TALLEST, TALLEST, 3)
    pairs = [
        one_image(one_scan(z, i, size=32), iterations=2, subsets=4) for i, z in enumerate(heights)
    ]
    errors = [100 * error(image, truth) for truth, image in pairs]
    least, most = map(float, re.findall(r"([\d.]+)%", shown))
    assert least == pytest.approx(min(errors), abs=0.06)
    assert most == pytest.approx(max(errors), abs=0.06)
    assert (tmp_path / "volume.png").read_bytes().startswith(b"\x89PNG")


def test_the_head_is_round():
    middle, top = (np.count_nonzero(one_scan(z, 1, size=64).truth) for z in (0, 0.8))
    assert top == pytest.approx(middle * (1 - 0.8**2), rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--workers", "0"], "--workers must be 1 or more"),
        (["--subsets", "33"], "--subsets must be --size (32) or less"),
        (["--output", "volume.docx"], "--output must end in"),
    ],
)
def test_wrong_input(arguments, message):
    assert message in command(*arguments, status=2)
