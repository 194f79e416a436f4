"""`python -m tomography`, as it is typed."""

import subprocess
import sys

import pytest

SMALL = ["--size", "32", "--angles", "30", "--iterations", "2", "--subsets", "5", "--counts", "1e5"]


def command(*arguments, status=0):
    words = [sys.executable, "-m", "tomography", *SMALL, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def test_draws_a_picture(tmp_path):
    pytest.importorskip("matplotlib")
    shown = command("--output", tmp_path / "picture.png")
    assert "OSEM, 5 subsets" in shown
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_device():
    assert "device: cpu" in command("--device", "cpu")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "3"], "--size must be 16 or more"),
        (["--subsets", "31"], "--subsets must be --angles (30) or less"),
        (["--counts", "nan"], "--counts must be 1 or more"),
        (["--fwhm", "-1"], "--fwhm must be between"),
        (["--output", "no/such/folder.png"], "there is no folder"),
        (["--output", "picture.docx"], "--output"),
        (["--device", "tpu"], "--device"),
    ],
)
def test_wrong_input(arguments, message):
    shown = command(*arguments, status=2)
    assert message in shown
    assert "Traceback" not in shown
