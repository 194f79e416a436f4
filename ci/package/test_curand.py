"""docs/how-to/random-numbers.md: curand's headers are a word of the build's requirements, and no warning comes of them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from environment import Environment
from functions_alone import build, configure
from shell import ROOT

PAGE = (ROOT / "docs/how-to/random-numbers.md").read_text()


def test_nvcc_finds_the_headers(tmp_path: Path) -> None:
    (requirement,) = re.findall(r"`(cuda-toolkit.*)`", PAGE)
    tools = Environment(tmp_path / "venv", "3.11")
    tools.install("cmake>=3.27", "ninja", requirement)
    (tmp_path / "kernels").mkdir()
    shutil.copy(ROOT / "docs/kernels/cu/uniform.cu", tmp_path / "kernels")
    configure(tools, tmp_path, CUDAARCHS="80-real")
    build(tools, tmp_path, CUDAARCHS="80-real")
