"""`python -m cluster`, as it is typed."""

import re
import subprocess
import sys

import pytest

from cluster import gpus
from cluster.workers import seeing

SMALL = ["--size", "32", "--slices", "4", "--iterations", "2", "--subsets", "4"]


def command(*arguments, status=0):
    words = [sys.executable, "-m", "cluster", *SMALL, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def test_draws_a_picture(tmp_path):
    shown = command("--device", "cpu", "--kill", 1, "--output", tmp_path / "picture.png")
    assert "device: cpu" in shown
    assert "of 2 workers" in shown
    assert "4 slices, error" in shown
    assert sum(map(int, re.findall(r"^worker \d+: (\d+) slices", shown, re.MULTILINE))) == 4
    assert "was lost, and nothing is missing" in shown
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_device_that_is_not_there(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert command("--device", "cuda", status=1).splitlines()[-1].startswith("error: ")


def test_each_worker_sees_a_gpu_of_its_own(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,5")
    assert gpus() == ["3", "5"]
    seen = [seeing(number, gpus())["CUDA_VISIBLE_DEVICES"] for number in range(3)]
    assert seen == ["3", "5", "3"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert gpus() == []
    assert seeing(0, gpus()) == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--workers", "-1"], "--workers must be 0 or more"),
        (["--subsets", "33"], "--subsets must be --size (32) or less"),
        (["--kill", "4"], "--kill must be below --slices (4)"),
        (["--kill", "1", "--scheduler", "tcp://127.0.0.1:1"], "leave out --scheduler"),
        (["--output", "volume.docx"], "--output must end in"),
        (["--output", "no/such/folder.png"], "there is no folder"),
        (["--device", "tpu"], "--device"),
    ],
)
def test_wrong_input(arguments, message):
    shown = command(*arguments, status=2)
    assert message in shown
    assert "Traceback" not in shown
