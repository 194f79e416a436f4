"""NVIDIA's ptxas, without which no kernel in Rust is compiled for a GPU: a build gets it when kernels were edited."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from developer import DEVELOPMENT
from environment import Environment, copy_of_cache
from generator import scaffold
from rustc import ASSEMBLER, COMPILER
from shell import ROOT

pytestmark = pytest.mark.night

ASK = "from cuvec_build import get_requires_for_build_wheel as ask; print(*ask(), sep='\\n')"
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
def asks(backend: Environment) -> Callable[..., bool]:
    """Tells whether a frontend would have to install the package with ptxas, by itself."""
    paths = {"PATH": str(backend.bin), "PYTHONPATH": str(ROOT / "runtime/backend"), "CUVEC_CACHE": "0", **ELSEWHERE}
    return lambda package, **env: ASSEMBLER in backend.python("-c", ASK, cwd=package, env={**paths, **env}).splitlines()


def test_without_an_edit_nothing_is_asked_for(asks, package: Path) -> None:
    touch(package / "tests/test_axpy.py")
    assert not asks(package)


@pytest.mark.parametrize("file", ["axpy.rs", "added.rs", "lib.rs", "shared/module.rs", "Cargo.toml"])
def test_an_edit_asks_for_it(file: str, asks, package: Path) -> None:
    touch(package / "kernels" / file)
    assert asks(package)


def test_ptx_that_was_deleted_is_asked_for(asks, package: Path) -> None:
    (package / "kernels/ptx/axpy.ptx").unlink()
    assert asks(package)


@pytest.mark.parametrize("name", ["KERNELS_PTXAS", "CUDA_HOME", "CUDA_PATH"])
def test_where_there_is_one_nothing_is_asked_for(name: str, asks, package: Path) -> None:
    touch(package / "kernels/axpy.rs")
    assert not asks(package, **{name: "/somewhere"})


def test_without_cuda_nothing_is_asked_for(asks, package: Path) -> None:
    touch(package / "kernels/axpy.rs")
    assert not asks(package, CUDA="OFF")


@pytest.mark.parametrize("answers", [{"kernels": "cu"}, {"kernels": "rust", "bridge": "ctypes"}], ids=str)
def test_nvcc_comes_with_one(answers: dict[str, str], asks, tmp_path: Path) -> None:
    package = scaffold(tmp_path / "other", **answers)
    (kernel,) = (package / "kernels").glob("axpy.*")
    touch(kernel)
    assert not asks(package)


def test_pip_builds_an_edit_without_more(package: Path, tmp_path: Path) -> None:
    """And what was compiled before is found by the build after it."""
    shutil.rmtree(package / "src")
    cache = copy_of_cache(tmp_path / "cache", "core", "crates", "rust")
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
