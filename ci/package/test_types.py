"""Type checkers agree with the package's annotations. test_strict.py compares the stub of `_core` with the module."""

from __future__ import annotations

from pathlib import Path

from environment import Environment
from shell import run


def test_mypy_strict(package: Path, on_311: Environment) -> None:
    run(
        "mypy", "--strict", "--cache-dir=/dev/null", "--python-executable", on_311.bin / "python", "python", cwd=package
    )


def test_pyright(package: Path, on_311: Environment) -> None:
    shown = run("pyright", "--warnings", "--pythonpath", on_311.bin / "python", cwd=package)
    assert "0 errors, 0 warnings" in shown
