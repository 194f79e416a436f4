"""Somebody who works on a package as its README says."""

from __future__ import annotations

import os
from pathlib import Path

from environment import interpreter
from generator import Combination, combinations
from recipe import commands, section
from rustc import ASSEMBLER, COMPILER
from shell import ROOT, run

ARCHITECTURE = "75"  # of CUDA: for one of them kernels compile faster than for all

# What compiles fastest. What is shipped is compiled by those who build wheels: nvcc's results are not the same to the byte, and are
# kept for these builds alone.
DEVELOPMENT = {"CUDAARCHS": ARCHITECTURE, "CMAKE_CUDA_COMPILER_LAUNCHER": str(ROOT / "ci/nvcc.sh")}

# Of a wheel too, where it is not how fast its code is that matters: compilers optimize a wheel as a whole, Rust's for half a
# minute, and nothing of that serves another package. Crates are compiled as for an editable install, which serves both.
QUICK = {
    **DEVELOPMENT,
    "SKBUILD_CMAKE_DEFINE": "STRICT=ON;CMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF",
    "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "256",
    "CARGO_PROFILE_RELEASE_LTO": "off",
}

# The same, with each file of C++ compiled alone, as in an editable install.
QUICK_FILE_BY_FILE = {**QUICK, "SKBUILD_CMAKE_DEFINE": f"{QUICK['SKBUILD_CMAKE_DEFINE']};CMAKE_UNITY_BUILD=OFF"}


class Developer:
    """Typed the commands of the section "Develop" into a shell.

    To the letter in the first package. The others have uv for pip, which is faster, and run no tests; the first runs those
    of one function. All tests are run by test_suite.
    """

    def __init__(self, package: Path, combination: Combination) -> None:
        self.package = package
        self.activate = "source .venv/bin/activate"
        install = commands(section((package / "README.md").read_text(), "Develop"))
        assert "editable.rebuild=true" in install
        if combination != combinations()[0]:
            assert install.endswith("\npytest\n")
            install = install.removesuffix("pytest\n").replace("\npip install", "\nuv pip install --quiet")
        self.types(install, PYTEST_ADDOPTS="-k axpy")
        if combination.kernels == "rust":
            self.types(f"{self.activate} && uv pip install --quiet --no-deps '{ASSEMBLER}'")

    def types(self, script: str, **env: str) -> str:
        path = f"{interpreter('3.11').parent}{os.pathsep}{os.environ['PATH']}"
        env = {"PATH": path, "KERNELS_RUSTC": COMPILER, **DEVELOPMENT, **env}
        return run("bash", "-euo", "pipefail", "-c", script, cwd=self.package, env=env)

    def python(self, code: str) -> str:
        return self.types(f"{self.activate} && cd / && python -c '{code}'")
