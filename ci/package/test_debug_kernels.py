"""`DEBUG_KERNELS`: what profilers and debuggers read is in the code for the GPU, and no optimization is lost for line numbers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from developer import DEVELOPMENT
from environment import Environment
from generator import scaffold


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    package = scaffold(tmp_path_factory.mktemp("debug") / "mypkg", kernels="cu")
    shutil.rmtree(package / "src")
    (package / "kernels/dot.cu").unlink()
    return package


@pytest.fixture(scope="module")
def tools(project: Path) -> Environment:
    environment = Environment(project.parent / "python-3.13", "3.13")
    environment.install(f"--group={project / 'pyproject.toml'}:build")
    return environment


def build(project: Path, tools: Environment, folder: Path, ok: bool = True, **defined: str) -> str:
    given = [f"-Ccmake.define.{name}={value}" for name, value in defined.items()]
    options = ["--verbose", "--no-build-isolation", "--no-deps", "-Cbuild.verbose=true", f"--wheel-dir={folder}"]
    return tools.pip("wheel", *options, *given, project, env={"PATH": tools.path, **DEVELOPMENT}, ok=ok)


def flags(output: str) -> set[str]:
    """Those with which nvcc has compiled the kernel."""
    (command,) = [line for line in output.splitlines() if "-x cu -c " in line and "axpy.cu" in line]
    return {*command.split()}


@pytest.mark.parametrize(("setting", "flag"), [("lineinfo", "-lineinfo"), ("full", "-G")])
def test_flags_of_nvcc(setting: str, flag: str, project: Path, tools: Environment, tmp_path: Path) -> None:
    output = build(project, tools, tmp_path, DEBUG_KERNELS=setting)
    assert {"-lineinfo", "-G"} & flags(output) == {flag}
    assert list(tmp_path.glob("*.whl"))


def test_another_setting(project: Path, tools: Environment, tmp_path: Path) -> None:
    said = " ".join(build(project, tools, tmp_path, ok=False, DEBUG_KERNELS="all", CUDA="OFF").split())
    assert "DEBUG_KERNELS is `all`, but must be none, lineinfo or full" in said
