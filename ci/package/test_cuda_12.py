"""A toolkit of CUDA 12 compiles functions, bfloat16 and CUB among them, and the doctor says which driver runs them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from environment import Environment
from functions_alone import build, configure
from shell import ROOT, run

KERNELS = ROOT / "runtime/tests/kernels/cu"
LOOK = """
import json, sys
sys.path.insert(0, 'cuvec')
from doctor import declared_code, images
code = open(sys.argv[1], 'rb').read()
print(json.dumps([images.described(images.images(code)), images.built_with(code), images.needs(code), *declared_code.look(code)]))
"""


@pytest.fixture(scope="module")
def toolkit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("apt-get") or os.geteuid():
        pytest.skip("needs root, on Debian")
    folder = tmp_path_factory.mktemp("cuda") / "12"
    run(ROOT / "ci/cuda12.sh", folder)
    return folder


def test_functions_for_older_drivers(toolkit: Path, nvcc_tools: Environment, tmp_path: Path) -> None:
    (tmp_path / "kernels").mkdir()
    for name in ("axpy", "rms_norm", "prefix_sums"):
        shutil.copy(KERNELS / f"{name}.cu", tmp_path / "kernels")
    # of the toolkit's library for kernels that launch kernels, PyPI has one that is too new for its linker
    env = {"CUDA_HOME": str(toolkit), "CUDAARCHS": "90", "NVCC_APPEND_FLAGS": "-cudadevrt none"}
    assert "NVIDIA 12.4" in configure(nvcc_tools, tmp_path, **env)
    build(nvcc_tools, tmp_path, **env)
    said = nvcc_tools.python("-c", LOOK, tmp_path / "build/_functions.so", cwd=ROOT / "runtime")
    assert json.loads(said) == ["sm_90, PTX of sm_90", [12, 4], [12, 0]]
