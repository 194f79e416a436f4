"""Type checkers agree with the package's annotations, and the stub of `_core` with the module that was built."""

from __future__ import annotations

from pathlib import Path

from environment import Environment
from shell import run


def test_mypy_strict(package: Path, on_311: Environment) -> None:
    run("mypy", "--strict", "--python-executable", on_311.bin / "python", "python", cwd=package)


def test_stubtest(on_311: Environment, tmp_path: Path) -> None:
    on_311.pip("install", "--quiet", "mypy==2.4.1")
    on_311.python("-m", "mypy.stubtest", "mypkg._core", cwd=tmp_path)
