"""Kernels written in Rust: PTX takes the place of the old only when NVIDIA's assembler accepts it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from environment import Environment
from generator import scaffold, unpack
from rustc import COMPILER
from shell import run

pytestmark = pytest.mark.night

# Edits of PTX, as if another compiler had made it of the same kernels.
NORETURN = (
    r"s/(\.visible \.func\s+kernel_panicked\s*\(\s*\))\s*([{;])/$1\n.noreturn\n$2/g; s/\.version 6\.3/.version 6.4/"
)
NONSENSE = r"s/\bret;/nonsense;/"


@pytest.fixture(scope="module")
def tools(folder: Path) -> Environment:
    environment = Environment(folder / "tools", "3.11")
    environment.install("--no-deps", "nvidia-cuda-nvcc==13.0.*")
    return environment


@pytest.fixture(scope="module")
def built(folder: Path) -> Path:
    """Where PTX is made, of all tests."""
    return folder / "built"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with a kernel that was edited."""
    package = scaffold(tmp_path / "mypkg", kernels="rust")
    with (package / "kernels/axpy.rs").open("a") as file:
        file.write("// edited\n")
    return package


@pytest.fixture
def build(tools: Environment, built: Path, package: Path, tmp_path: Path):
    """Does what a build does, with a compiler whose PTX is edited; returns what it printed."""

    def build(edit: str, ok: bool, **env: str) -> str:
        compiler = tmp_path / "rustc"
        compiler.write_text(
            f'#!/bin/sh\n{COMPILER} "$@" || exit\n'
            "for argument; do case $argument in --emit=asm=*) made=${argument#--emit=asm=};; esac; done\n"
            f'[ -z "$made" ] || perl -0pi -e \'{edit}\' "$made"\n'
        )
        compiler.chmod(0o755)
        image = built / "ptx/axpy.ptx"
        image.unlink(missing_ok=True)
        command = (
            unpack(package) / "backend/cuvec_build/for_cmake.py",
            "ptx",
            package / "kernels",
            built,
            image.parent,
        )
        env = {"KERNELS_RUSTC": str(compiler), "KERNELS_PTXAS": "", "PATH": tools.path} | env
        shown = run(tools.bin / "python", *command, ok=ok, env=env)
        assert image.exists() == ok
        return " ".join(shown.split())

    return build


def shipped(package: Path) -> str:
    return (package / "kernels/ptx/axpy.ptx").read_text()


def test_a_function_that_does_not_return_is_declared_as_it_is_defined(build, package: Path) -> None:
    build(NORETURN, ok=True)
    functions = re.findall(r"\.visible \.func\s+kernel_panicked\s*\(\s*\)(\s*\.noreturn)?", shipped(package))
    assert len(functions) == 2  # the declaration and the definition
    assert all(functions)


def test_ptx_that_cannot_be_loaded_replaces_nothing(build, package: Path) -> None:
    before = shipped(package)
    assert "ptxas refuses the PTX" in build(NONSENSE, ok=False)
    assert shipped(package) == before


def test_without_an_assembler_nothing_is_replaced(build, package: Path) -> None:
    before = shipped(package)
    shown = build("", ok=False, KERNELS_PTXAS="/nowhere/ptxas")
    assert 'pip install --no-deps "nvidia-cuda-nvcc==13.*"' in shown
    assert shipped(package) == before
