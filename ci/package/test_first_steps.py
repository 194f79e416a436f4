"""The first command of our README and the first change of CONTRIBUTING.md work when they are done to the letter."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from environment import copy_of_conformance_tests, interpreter
from generator import EXECUTABLE
from recipe import section
from shell import ROOT, run


def test_try(tmp_path: Path, show: Callable[[str], None]) -> None:
    start = time.monotonic()
    path = f"{interpreter('3.11').parent}{os.pathsep}{os.environ['PATH']}"
    shown = run(EXECUTABLE, "tried", "--try", cwd=tmp_path, env={"PATH": path})
    show(f"cuvec-new tried --try: {time.monotonic() - start:.0f} s")
    promised = re.search(r"^tests: \d+ passed.*$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert promised
    assert promised[0] in shown.splitlines()
    run(tmp_path / "tried/.venv/bin/python", "-c", "from tried import cuvec; print(cuvec.device())", cwd=tmp_path)


@pytest.mark.night
def test_first_change(tmp_path: Path) -> None:
    for file in (copy_of_conformance_tests(tmp_path) / "tests/conformance").glob("*/test_*.py"):
        file.unlink()  # test_runtime.py runs it
    recipe = section((ROOT / "CONTRIBUTING.md").read_text(), "A first change")
    blocks = re.findall(r"^```sh\n(.*?)^```$", recipe, flags=re.MULTILINE | re.DOTALL)
    shown = run("bash", "-euo", "pipefail", "-c", "".join(blocks), cwd=tmp_path)
    assert re.search(r"^tests/conformance/calls/test_relu\.py \.\. ", shown, flags=re.MULTILINE)
