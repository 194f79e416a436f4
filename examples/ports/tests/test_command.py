"""`python -m ports`, as it is typed."""

import subprocess
import sys

import pytest

from ports.programs import PROGRAMS


def command(*arguments, status=0):
    words = [sys.executable, "-m", "ports", "--size", "40", *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def test_draws_a_picture(tmp_path):
    shown = command("--device", "cpu", "--output", tmp_path / "picture.png")
    assert "device: cpu" in shown
    for program in PROGRAMS.values():
        assert program.summary(program.in_numpy(*program.inputs(40))) in shown
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "15"], "--size must be between 16 and 16384"),
        (["--size", "20000"], "--size must be between 16 and 16384"),
        (["--output", "no/such/folder.png"], "there is no folder"),
        (["--output", "picture.docx"], "--output must end in"),
        (["--device", "tpu"], "--device"),
    ],
)
def test_wrong_input(arguments, message):
    shown = command(*arguments, status=2)
    assert message in shown
    assert "Traceback" not in shown
