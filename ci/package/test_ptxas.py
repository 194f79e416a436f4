"""NVIDIA's ptxas, without which no kernel in Rust is compiled for a GPU: a build gets it when kernels were edited, and new PTX takes
the place of the old only when it accepts it."""

import os
import re
import shutil
import time
from pathlib import Path

import pytest
from environment import ASSEMBLER, COMPILER, DEVELOPMENT, Environment, copy_of_cache
from files import append, program, replace
from generator import scaffold, unpack
from shell import ROOT, run

pytestmark = pytest.mark.night

ASK = "from cuvec_build import get_requires_for_build_wheel as ask; print(*ask(), sep='\\n')"
FETCHED = "Collecting nvidia-cuda-nvcc"
ELSEWHERE = {"KERNELS_PTXAS": "", "CUDA_HOME": "", "CUDA_PATH": ""}


@pytest.fixture(scope="module")
def backend(folder: Path) -> Environment:
    return Environment(folder / "backend", "3.11", "scikit-build-core>=0.11", "packaging")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return scaffold(tmp_path / "mypkg", kernels="rust")


AXPY = "kernels/axpy.rs"


@pytest.mark.parametrize(
    ("edited", "env", "asked"),
    [
        ("tests/test_axpy.py", {}, False),
        (AXPY, {}, True),
        ("kernels/added.rs", {}, True),
        ("kernels/lib.rs", {}, True),
        ("kernels/shared/module.rs", {}, True),
        ("kernels/Cargo.toml", {}, True),
        ("", {}, True),
        *((AXPY, {name: "/somewhere"}, False) for name in ELSEWHERE),
        (AXPY, {"CUDA": "OFF"}, False),
    ],
)
def test_an_edit_asks_for_it(
    edited: str, env: dict[str, str], asked: bool, backend: Environment, package: Path
) -> None:
    """By itself, where there is none; so does PTX that was deleted."""
    if edited:
        touch(package / edited)
    else:
        (package / "kernels/ptx/axpy.ptx").unlink()
    assert asks(backend, package, **env) == asked


def touch(file: Path) -> None:
    """As an edit does, for a file that may be new."""
    file.parent.mkdir(exist_ok=True)
    file.touch()
    later = time.time() + 10
    os.utime(file, (later, later))


def asks(backend: Environment, package: Path, **env: str) -> bool:
    paths = {"PATH": str(backend.bin), "PYTHONPATH": str(ROOT / "runtime/backend"), "CUVEC_CACHE": "0", **ELSEWHERE}
    return ASSEMBLER in backend.python("-c", ASK, cwd=package, env={**paths, **env}).splitlines()


@pytest.mark.parametrize("answers", [{"kernels": "cu"}, {"kernels": "rust", "bridge": "ctypes"}], ids=str)
def test_nvcc_comes_with_one(answers: dict[str, str], backend: Environment, tmp_path: Path) -> None:
    package = scaffold(tmp_path / "other", **answers)
    (kernel,) = (package / "kernels").glob("axpy.*")
    touch(kernel)
    assert not asks(backend, package)


def test_pip_builds_an_edit_without_more(package: Path, tmp_path: Path) -> None:
    """And what was compiled before is found by the build after it."""
    shutil.rmtree(package / "src")
    cache = copy_of_cache(tmp_path / "cache", "core", "crates", "rust")
    environment = Environment(tmp_path / "venv", "3.11")
    env = {**DEVELOPMENT, **ELSEWHERE, "CUVEC_CACHE": str(cache), "KERNELS_RUSTC": COMPILER, "PATH": environment.path}

    def build() -> str:
        return environment.pip("wheel", "--verbose", "--no-deps", "--wheel-dir", tmp_path / "wheels", package, env=env)

    before = shipped(package)
    replace(package / AXPY, "y += a * x", "y += a * x + a")
    assert FETCHED in build()
    assert shipped(package) != before
    said = build()
    assert (FETCHED in said, "Compiling the kernels" in said) == (False, False)
    assert len([*cache.glob("builds/*")]) == 1


def shipped(package: Path) -> str:
    return (package / "kernels/ptx/axpy.ptx").read_text()


@pytest.fixture(scope="module")
def tools(folder: Path) -> Environment:
    return Environment(folder / "tools", "3.11", "--no-deps", "nvidia-cuda-nvcc==13.0.*")


@pytest.fixture
def build(tools: Environment, folder: Path, package: Path, tmp_path: Path):
    """Builds PTX of an edited kernel with a compiler whose PTX is edited in turn; returns what was printed."""
    append(package / AXPY, "// edited\n")

    def build(edit: str, ok: bool, **env: str) -> str:
        compiler = program(
            tmp_path / "rustc",
            f'{COMPILER} "$@" || exit\n'
            "for argument; do case $argument in --emit=asm=*) made=${argument#--emit=asm=};; esac; done\n"
            f'[ -z "$made" ] || perl -0pi -e \'{edit}\' "$made"',
        )
        image = folder / "built/ptx/axpy.ptx"
        image.unlink(missing_ok=True)
        script = unpack(package) / "backend/cuvec_build/for_cmake.py"
        env = {"KERNELS_RUSTC": str(compiler), "KERNELS_PTXAS": "", "PATH": tools.path} | env
        command = (tools.bin / "python", script, "ptx", package / "kernels", folder / "built", image.parent)
        shown = run(*command, ok=ok, env=env)
        assert image.exists() == ok
        return " ".join(shown.split())

    return build


# Edits of PTX, as if another compiler had made it of the same kernels.
NORETURN = (
    r"s/(\.visible \.func\s+kernel_panicked\s*\(\s*\))\s*([{;])/$1\n.noreturn\n$2/g; s/\.version 6\.3/.version 6.4/"
)
NONSENSE = r"s/\bret;/nonsense;/"


def test_a_function_that_does_not_return_is_declared_as_it_is_defined(build, package: Path) -> None:
    build(NORETURN, ok=True)
    functions = re.findall(r"\.visible \.func\s+kernel_panicked\s*\(\s*\)(\s*\.noreturn)?", shipped(package))
    assert len(functions) == 2  # the declaration and the definition
    assert all(functions)


@pytest.mark.parametrize(
    ("edit", "env", "message"),
    [
        (NONSENSE, {}, "ptxas refuses the PTX"),
        ("", {"KERNELS_PTXAS": "/nowhere/ptxas"}, 'pip install --no-deps "nvidia-cuda-nvcc==13.*"'),
    ],
    ids=["refused", "no assembler"],
)
def test_ptx_that_is_not_assembled_replaces_nothing(
    edit: str, env: dict[str, str], message: str, build, package: Path
) -> None:
    before = shipped(package)
    assert message in build(edit, ok=False, **env)
    assert shipped(package) == before
