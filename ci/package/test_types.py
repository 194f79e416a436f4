"""Type checkers agree with the package's annotations, and the stub of `_core` with the module that was built."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from environment import Environment
from generator import SAMPLES, Combination
from pins import pin
from shell import run


def test_mypy_strict(package: Path, on_311: Environment) -> None:
    run("mypy", "--cache-dir=/dev/null", "--python-executable", on_311.bin / "python", cwd=package)


def test_pyright(combination: Combination, on_311: Environment, tmp_path: Path) -> None:
    if combination not in SAMPLES:
        pytest.skip("as another package")
    installed = on_311.bin.parent / "lib/python3.11/site-packages/mypkg"
    shutil.copytree(installed, tmp_path / "mypkg")  # where it is, pyright takes it for a library
    (tmp_path / "pyrightconfig.json").write_text('{"reportMissingModuleSource": false}')  # `_core` has none in Python
    shown = run("pyright", "--warnings", "--pythonpath", on_311.bin / "python", cwd=tmp_path)
    assert "0 errors, 0 warnings" in shown


def test_stubtest(combination: Combination, on_313: Environment, tmp_path: Path) -> None:
    """On a Python that shows `__buffer__`, which came with 3.12. `stubtest/` says what a binding tool cannot show."""
    on_313.install(pin("mypy"))
    allowed = [f"--allowlist={path}" for path in Path(__file__).parent.glob(f"stubtest/{combination.bridge}.txt")]
    on_313.python("-m", "mypy.stubtest", "mypkg.cuvec._core", *allowed, cwd=tmp_path)
