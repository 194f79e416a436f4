"""Type checkers agree with the package's annotations. test_strict.py compares the stub of `_core` with the module."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from environment import Environment
from shell import run


def test_mypy_strict(mypy: Callable[[Path, Environment], str], package: Path, on_311: Environment) -> None:
    mypy(package, on_311)


def test_pyright(on_311: Environment, tmp_path: Path) -> None:
    installed = on_311.bin.parent / "lib/python3.11/site-packages/mypkg"
    shutil.copytree(installed, tmp_path / "mypkg")  # where it is, pyright takes it for a library
    (tmp_path / "pyrightconfig.json").write_text('{"reportMissingModuleSource": false}')  # `_core` has none in Python
    shown = run("pyright", "--warnings", "--pythonpath", on_311.bin / "python", cwd=tmp_path)
    assert "0 errors, 0 warnings" in shown
