"""The package's own tests pass without a GPU, on the lowest Python and on a later one, and say what they skip."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from environment import Environment
from generator import Combination
from shell import ROOT

Show = Callable[[str], None]


def check(what: str, result: dict[str, int], show: Show) -> None:
    show(f"tests of {what}: {result}")
    assert set(result) <= {"passed", "skipped"}
    assert result["passed"] > 100


def test_suite_on_311(combination: Combination, package: Path, on_311: Environment, show: Show) -> None:
    check(f"{combination} on 3.11", on_311.pytest(package), show)


def test_suite_on_313(combination: Combination, package: Path, on_313: Environment, show: Show) -> None:
    check(f"{combination} on 3.13", on_313.pytest(package), show)


def test_packages_agree(on_311: Environment, together: Path) -> None:
    """On random arrays, with the first of all packages."""
    on_311.python(ROOT / "ci/kernels/agree.py", "mypkg", together / "values.npz", cwd=on_311.bin.parent)


def test_cuda_is_demanded(package: Path, on_311: Environment) -> None:
    """Without a GPU the suite fails under CUVEC_DEVICE=cuda: it never passes by skipping."""
    tests = package / "tests"
    output = on_311.python("-m", "pytest", tests, cwd=on_311.bin.parent, env={"CUVEC_DEVICE": "cuda"}, ok=False)
    assert "RuntimeError: CUVEC_DEVICE is cuda, but" in output
    assert " passed" not in output
