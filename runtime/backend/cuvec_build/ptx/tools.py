"""Finds what compiles kernels in Rust for GPUs, and what judges their PTX."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from ..rust import which

LOWEST = (1, 92)  # the first one that knows -Cpanic=immediate-abort


def ask(*command: str) -> str | None:
    """Return what a program prints, or None if it fails."""
    env = {**os.environ, "RUSTUP_AUTO_INSTALL": "0"}
    try:
        asked = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return None if asked.returncode else asked.stdout.strip()


def find_rustc(stale: Iterable[str]) -> tuple[str, Path]:
    """Return a compiler and its library's sources, or say how to get them."""
    named = os.environ.get("KERNELS_RUSTC")
    candidates, problem = ([named], "") if named else of_rustup()
    for rustc in candidates:
        library, problem = check_rustc(rustc)
        if not problem:
            return rustc, library
    sys.exit(
        f"error: the PTX of {', '.join(stale)}, in kernels/ptx, is not of the kernels as they are, and cannot be compiled: "
        f"{problem}. To install what is needed:\n"
        "  rustup component add rust-src\n"
        f"Or set KERNELS_RUSTC to a rustc, from {'.'.join(map(str, LOWEST))} on, that has the sources of its library. "
        "To build for the CPU alone: CUDA=OFF pip install ."
    )


def of_rustup() -> tuple[list[str], str]:
    """Return the compilers that rustup has, and what is wrong if these are none."""
    rustup = which("rustup")
    if rustup is None:
        return [], "there is no rustup"
    asked = [ask(rustup, "which", "--toolchain", it, "rustc") for it in ("stable", "nightly")]
    return [path for path in asked if path], "rustup has no compiler"


def check_rustc(rustc: str) -> tuple[Path, str]:
    """Return where a compiler has the sources of its library, and what is wrong with it, if anything."""
    sysroot = ask(rustc, "--print", "sysroot")
    library = Path(sysroot or "", "lib/rustlib/src/rust/library")
    version = re.match(r"rustc (([0-9]+)[.]([0-9]+))", ask(rustc, "--version") or "")
    if sysroot is None:
        return library, f"{rustc} does not run"
    if not (library / "core/src/lib.rs").exists():
        return library, f"{rustc} has no sources of its library"
    if version and (int(version[2]), int(version[3])) < LOWEST:
        return (
            library,
            f"{rustc} is {version[1]}, and kernels need {'.'.join(map(str, LOWEST))} or later",
        )
    return library, ""


def find_ptxas() -> str:
    """Return the assembler, or say how to get it.

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
    if not found or not Path(found).exists():
        sys.exit(
            "error: the kernels were compiled, but there is no ptxas to judge the PTX with, and the PTX stays as it was. "
            "To install it:\n"
            '  pip install --no-deps "nvidia-cuda-nvcc==13.*"\n'
            "Or set KERNELS_PTXAS to one."
        )
    return found
