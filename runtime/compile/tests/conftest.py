"""Shared by the tests of the build program, which need Rust and GCC. NVCC names an nvcc to test with, too."""

import os
from pathlib import Path

import pytest
from declarations import GCC, ROOT, run

NVCC = os.environ.get("NVCC")


@pytest.fixture(scope="session")
def build_program() -> Path:
    """The program that reads declarations in CUDA C++ for a build, and starts its compilers."""
    command = (
        "cargo",
        "build",
        "--quiet",
        "--locked",
        "--profile",
        "program",
        "--package",
        "cuvec-compile",
    )
    run(*command, cwd=ROOT / "runtime")
    return ROOT / "runtime/target/program/cuvec-compile"


@pytest.fixture(
    scope="session",
    params=["g++", pytest.param("nvcc", marks=pytest.mark.skipif(not NVCC, reason="NVCC"))],
)
def compiler(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str | Path, ...]:
    if request.param == "g++":
        return GCC
    return (str(NVCC), "-arch=sm_75", "-cuda", "-o", tmp_path_factory.mktemp("out") / "out.ii")
