"""The first change that CONTRIBUTING.md proposes works when its commands are run one after the other."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from recipe import section
from shell import ROOT, run


def test_first_change(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "runtime", tmp_path / "runtime", ignore=shutil.ignore_patterns("target", "__pycache__"))
    recipe = section((ROOT / "CONTRIBUTING.md").read_text(), "A first change")
    blocks = re.findall(r"^```sh\n(.*?)^```$", recipe, flags=re.MULTILINE | re.DOTALL)
    shown = run("bash", "-euo", "pipefail", "-c", "".join(blocks), cwd=tmp_path)
    assert re.search(r"^tests/calls/test_relu\.py \.\. ", shown, flags=re.MULTILINE)
