"""`python -m reaction`, as it is typed."""

import subprocess
import sys

import pytest


def command(*arguments, status=0):
    words = [
        sys.executable,
        "-m",
        "reaction",
        "--size",
        "32",
        "--steps",
        "70",
        *map(str, arguments),
    ]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


@pytest.mark.parametrize("steps", [70, 1])
def test_draws_a_picture(tmp_path, steps):
    shown = command("--device", "cpu", "--steps", steps, "--output", tmp_path / "picture.png")
    assert "device: cpu" in shown
    assert "million cells a second" in shown
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_seed_is_a_plate():
    first, again, other = (command("--seed", seed).splitlines()[-1] for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "7"], "--size must be 8 or more"),
        (["--steps", "0"], "--steps must be 1 or more"),
        (["--feed", "0.1", "0.3"], "--feed must be between 0 and 0.2"),
        (["--kill", "nan", "0.1"], "--kill must be between 0 and 0.2"),
        (["--output", "no/such/folder.png"], "there is no folder"),
        (["--output", "picture.docx"], "--output must end in"),
        (["--device", "tpu"], "--device"),
    ],
)
def test_wrong_input(arguments, message):
    shown = command(*arguments, status=2)
    assert message in shown
    assert "Traceback" not in shown
