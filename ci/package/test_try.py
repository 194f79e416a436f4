"""`cuvec-new NAME --try`, the first command of our README, ends with a package that is installed and tested."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from environment import interpreter
from generator import EXECUTABLE
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
