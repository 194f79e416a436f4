"""Finds what compiles kernels in Rust for GPUs, and what judges their PTX."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..rust import which

LOWEST = (1, 92)  # the first one that knows -Cpanic=immediate-abort


def ask(*command: str) -> str | None:
    """Return what a program prints, or None if it fails, or takes longer than a minute."""
    env = {**os.environ, "RUSTUP_AUTO_INSTALL": "0"}
    unheard = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        output = subprocess.check_output(
            command, env=env, timeout=60, encoding="utf-8", errors="replace", **unheard
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return output.strip()


class Found(NamedTuple):
    """A compiler and its library's sources, or what is wrong, and what fixes it."""

    rustc: str = ""
    library: Path = Path()
    problem: str = ""
    fix: str = ""


def find_rustc(stale: Iterable[str]) -> tuple[str, Path]:
    """Return a compiler and its library's sources, or say how to get them."""
    found = rustc()
    if not found.problem:
        return found.rustc, found.library
    sys.exit(
        f"error: the PTX of {', '.join(stale)}, in kernels/ptx, is not of the kernels as they are, and cannot be compiled: "
        f"{found.problem}. To install what is needed:\n"
        "  rustup component add rust-src\n"
        f"Or set KERNELS_RUSTC to a rustc, from {'.'.join(map(str, LOWEST))} on, that has the sources of its library. "
        "To build for the CPU alone: CUDA=OFF pip install ."
    )


def rustc() -> Found:
    """Return the compiler that the environment names, or else one of rustup's."""
    if named := os.environ.get("KERNELS_RUSTC"):
        return check_rustc(named)
    rustup = which("rustup")
    if rustup is None:
        return Found(problem="there is no rustup", fix="install Rust: https://rustup.rs")
    found = Found(problem="rustup has no compiler", fix="rustup default stable")
    for toolchain in ("stable", "nightly"):
        if path := ask(rustup, "which", "--toolchain", toolchain, "rustc"):
            found = check_rustc(path)
            if not found.problem:
                break
    return found


def check_rustc(rustc: str) -> Found:
    """Return what is wrong with a compiler, if anything."""
    other = "rustup update stable, or name another one: KERNELS_RUSTC=/path/to/rustc"
    sysroot = ask(rustc, "--print", "sysroot")
    if sysroot is None:
        return Found(problem=f"{rustc} does not run", fix=other)
    version = re.match(r"rustc (([0-9]+)[.]([0-9]+))", ask(rustc, "--version") or "")
    if version and (int(version[2]), int(version[3])) < LOWEST:
        lowest = ".".join(map(str, LOWEST))
        problem = f"{rustc} is {version[1]}, and kernels need {lowest} or later"
        return Found(problem=problem, fix=other)
    library = Path(sysroot, "lib/rustlib/src/rust/library")
    if not (library / "core/src/lib.rs").exists():
        problem = f"{rustc} has no sources of its library"
        return Found(problem=problem, fix="rustup component add rust-src")
    return Found(rustc, library)


def find_ptxas() -> str:
    """Return the assembler, or say how to get it."""
    found = ptxas()
    if not found or not Path(found).exists():
        sys.exit(
            "error: the kernels were compiled, but there is no ptxas to judge the PTX with, and the PTX stays as it was. "
            "To install it:\n"
            '  pip install --no-deps "nvidia-cuda-nvcc==13.*"\n'
            "Or set KERNELS_PTXAS to one."
        )
    return found


def ptxas() -> str | None:
    """Return where the assembler should be.

    It is NVIDIA's, in a package of PyPI: in the environment that a frontend has made for the build, or in the one that it was
    started in, which a build of pip hides. Any other one of CUDA will do.
    """
    found = os.environ.get("KERNELS_PTXAS")
    if not found:
        program = str(Path(__file__).parents[1] / "for_cmake.py")
        wanted = ("installed", "nvidia-cuda-nvcc", "bin/ptxas", "bin/ptxas.exe")
        found = ask(sys.executable, program, *wanted) or ask(sys.executable, "-I", program, *wanted)
    if not found:
        folders = [
            str(Path(os.environ[it], "bin"))
            for it in ("CUDA_HOME", "CUDA_PATH")
            if it in os.environ
        ]
        path = os.pathsep.join([os.environ.get("PATH", ""), *folders, "/usr/local/cuda/bin"])
        found = shutil.which("ptxas", path=path)
    return found
