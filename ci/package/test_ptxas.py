"""NVIDIA's ptxas, without which no kernel in Rust is compiled for a GPU: a build gets it when kernels were edited."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from developer import DEVELOPMENT
from environment import Environment
from generator import scaffold
from rustc import ASSEMBLER, COMPILER
from shell import ROOT

ASK = "from cuvec_build.ptx import requirements; print(*requirements())"
FETCHED = "Collecting nvidia-cuda-nvcc"
ELSEWHERE = {"KERNELS_PTXAS": "", "CUDA_HOME": "", "CUDA_PATH": ""}


def touch(file: Path) -> None:
    """As an edit does, for a file that may be new."""
    file.parent.mkdir(exist_ok=True)
    file.touch()
    later = time.time() + 10
    os.utime(file, (later, later))


@pytest.fixture(scope="module")
def backend(folder: Path) -> Environment:
    environment = Environment(folder / "backend", "3.11")
    environment.install("scikit-build-core>=0.11", "packaging")
    return environment


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return scaffold(tmp_path / "mypkg", kernels="rust")


@pytest.fixture
def asked(backend: Environment, package: Path) -> Callable[..., str]:
    """Returns what a frontend would have to install for ptxas."""
    paths = {"PATH": str(backend.bin), "PYTHONPATH": str(ROOT / "runtime/backend")}
    return lambda **env: backend.python("-c", ASK, cwd=package, env={**paths, **ELSEWHERE, **env}).strip()


def test_without_an_edit_nothing_is_asked_for(asked, package: Path) -> None:
    touch(package / "tests/test_axpy.py")
    assert asked() == ""


@pytest.mark.parametrize("file", ["axpy.rs", "added.rs", "lib.rs", "shared/module.rs", "Cargo.toml"])
def test_an_edit_asks_for_it(file: str, asked, package: Path) -> None:
    touch(package / "kernels" / file)
    assert asked() == ASSEMBLER


def test_ptx_that_was_deleted_is_asked_for(asked, package: Path) -> None:
    (package / "kernels/ptx/axpy.ptx").unlink()
    assert asked() == ASSEMBLER


@pytest.mark.parametrize("name", ["KERNELS_PTXAS", "CUDA_HOME", "CUDA_PATH"])
def test_where_there_is_one_nothing_is_asked_for(name: str, asked, package: Path) -> None:
    touch(package / "kernels/axpy.rs")
    assert asked(**{name: "/somewhere"}) == ""


def test_without_cuda_nothing_is_asked_for(asked, package: Path) -> None:
    touch(package / "kernels/axpy.rs")
    assert asked(CUDA="OFF") == ""


def test_kernels_in_cuda_need_none(backend: Environment, tmp_path: Path) -> None:
    package = scaffold(tmp_path / "other", kernels="cu")
    env = {"PATH": str(backend.bin), "PYTHONPATH": str(ROOT / "runtime/backend"), **ELSEWHERE}
    assert backend.python("-c", ASK, cwd=package, env=env).strip() == ""


def test_nvcc_comes_with_one(backend: Environment, tmp_path: Path) -> None:
    package = scaffold(tmp_path / "other", kernels="rust", bridge="ctypes")
    touch(package / "kernels/axpy.rs")
    ask = "from cuvec_build import get_requires_for_build_wheel as ask; print(*ask())"
    env = {"PATH": str(backend.bin), "PYTHONPATH": str(ROOT / "runtime/backend"), **ELSEWHERE, "CUVEC_CACHE": "0"}
    asked = backend.python("-c", ask, cwd=package, env=env)
    assert ("cuda-toolkit" in asked, ASSEMBLER in asked) == (True, False)


def test_pip_builds_an_edit_without_more(package: Path, tmp_path: Path) -> None:
    """And what was compiled before is found by the build after it."""
    cache = tmp_path / "cache"
    for core in Path(os.environ["CUVEC_CACHE"]).glob("core-*"):
        shutil.copytree(core, cache / core.name)
    environment = Environment(tmp_path / "venv", "3.11")
    env = {**DEVELOPMENT, **ELSEWHERE, "CUVEC_CACHE": str(cache), "KERNELS_RUSTC": COMPILER, "PATH": environment.path}

    def build() -> str:
        return environment.pip("wheel", "--verbose", "--no-deps", "--wheel-dir", tmp_path / "wheels", package, env=env)

    axpy, ptx = (package / "kernels" / name for name in ("axpy.rs", "ptx/axpy.ptx"))
    before = ptx.read_text()
    axpy.write_text(axpy.read_text().replace("a * x", "a * x + a"))
    assert FETCHED in build()
    assert ptx.read_text() != before
    said = build()
    assert (FETCHED in said, "Compiling the kernels" in said) == (False, False)
    assert len([*cache.glob("builds/*")]) == 1
