"""`cuvec-new NAME --try`, the first command of our README, ends with a package that is installed and tested.

Compilers take what is fastest: how releases are compiled is a matter of the wheels in conftest.py.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from developer import QUICK
from environment import interpreter
from generator import executable
from shell import ROOT, run


def test_try(tmp_path: Path, show: Callable[[str], None]) -> None:
    start = time.monotonic()
    path = f"{interpreter('3.11').parent}{os.pathsep}{os.environ['PATH']}"
    shown = run(executable(), "tried", "--try", cwd=tmp_path, env={"PATH": path, **QUICK})
    show(f"cuvec-new tried --try, compiled in a hurry: {time.monotonic() - start:.0f} s")
    promised = re.search(r"^tests: \d+ passed$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert promised
    assert promised[0] in shown.splitlines()
    run(tmp_path / "tried/.venv/bin/python", "-c", "from tried import cuvec; print(cuvec.device())", cwd=tmp_path)
