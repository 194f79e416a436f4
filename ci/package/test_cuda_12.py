"""A toolkit of CUDA 12 compiles functions, bfloat16 and CUB among them, and packages that are made for it; the doctor says which
driver runs them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from environment import Environment
from functions_alone import build, configure
from generator import EXECUTABLE, scaffold
from shell import ROOT, run

KERNELS = ROOT / "runtime/tests/kernels/cu"
LOOK = """
import json, sys
sys.path.insert(0, 'cuvec')
from doctor import declared_code, images
code = open(sys.argv[1], 'rb').read()
print(json.dumps([images.described(images.images(code)), images.built_with(code), images.needs(code), *declared_code.look(code)]))
"""

# of the toolkit's library for kernels that launch kernels, PyPI has one that is too new for its linker
SETTINGS = {"CUDAARCHS": "90", "NVCC_APPEND_FLAGS": "-cudadevrt none"}


@pytest.fixture(scope="module")
def toolkit(folder: Path) -> Path:
    if not shutil.which("apt-get") or os.geteuid():
        pytest.skip("needs root, on Debian")
    run(ROOT / "ci/cuda12.sh", folder / "12")
    return folder / "12"


def test_functions_for_older_drivers(toolkit: Path, nvcc_tools: Environment, tmp_path: Path) -> None:
    (tmp_path / "kernels").mkdir()
    for name in ("axpy", "rms_norm", "prefix_sums"):
        shutil.copy(KERNELS / f"{name}.cu", tmp_path / "kernels")
    env = {"CUDA_HOME": str(toolkit), **SETTINGS}
    assert "NVIDIA 12.4" in configure(nvcc_tools, tmp_path, **env)
    build(nvcc_tools, tmp_path, **env)
    said = nvcc_tools.python("-c", LOOK, tmp_path / "build/_functions.so", cwd=ROOT / "runtime")
    assert json.loads(said) == ["sm_90, PTX of sm_90", [12, 4], [12, 0]]


def test_a_package(toolkit: Path, tmp_path: Path) -> None:
    """With bindings that have a `.cu` file, too; as its owner builds it, whom the doctor has told what is missing."""
    package = scaffold(tmp_path / "mypkg", bridge="nanobind", cuda="12")
    none = dict.fromkeys(("CUDACXX", "CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT"), "")
    told = run(EXECUTABLE, "doctor", package, env=none, ok=False)
    assert "problem  nvcc: none, and PyPI has none of CUDA 12; set CUDA_HOME to a toolkit of CUDA 12" in told
    env = {**none, "CUDA_HOME": str(toolkit), **SETTINGS}
    assert f"ok       nvcc: 12.4 at {toolkit}/bin/nvcc of CUDA_HOME" in run(EXECUTABLE, "doctor", package, env=env)
    environment = Environment(tmp_path / "venv", "3.13")
    wheel = environment.wheel(package, tmp_path / "wheel", env=env)
    code = "ok       GPU code: sm_90, PTX of sm_90, CUDA 12.4\n"
    assert code in run(EXECUTABLE, "doctor", wheel)
    environment.install(f"--group={package / 'pyproject.toml'}:test", wheel)
    result = environment.pytest(package, CUVEC_DEVICE="cpu")
    assert set(result) <= {"passed", "skipped"}
    assert result["passed"] >= 40
