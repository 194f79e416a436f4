"""The tests of a package, and those of its runtime, pass without a GPU, and say what they skip."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from environment import Environment
from generator import Combination
from proofs import of_the_contract_elsewhere
from shell import ROOT

Show = Callable[[str], None]
RUNTIME = "runtime/tests"


def check(what: str, result: dict[str, int], show: Show, at_least: int) -> None:
    show(f"tests of {what}: {result}")
    assert set(result) <= {"passed", "skipped"}
    assert result["passed"] >= at_least


def test_suite_on_311(combination: Combination, package: Path, on_311: Environment, show: Show) -> None:
    check(f"{combination} on 3.11", on_311.pytest(package), show, 40)


def test_suite_on_313(combination: Combination, package: Path, on_313: Environment, show: Show) -> None:
    check(f"{combination} on 3.13", on_313.pytest(package), show, 40)


def test_runtime(combination: Combination, package: Path, runtime_on_311: Environment, show: Show) -> None:
    """The contract, on functions that use all that a declaration can say."""
    elsewhere = of_the_contract_elsewhere(combination)
    assert all((package / RUNTIME / file).exists() for file in elsewhere)
    left_out = (f"--ignore={package / RUNTIME / file}" for file in elsewhere)
    result = runtime_on_311.pytest(package, *left_out, tests=[RUNTIME])
    check(f"the runtime of {combination} on 3.11", result, show, 2000)


def test_packages_agree(on_311: Environment, together: Path) -> None:
    """On random arrays, with the first of all packages."""
    on_311.python(ROOT / "ci/kernels/agree.py", "mypkg", together / "values.npz", cwd=on_311.bin.parent)


def test_cuda_is_demanded(package: Path, runtime_on_311: Environment) -> None:
    """Without a GPU the suite fails under CUVEC_DEVICE=cuda: it never passes by skipping."""
    options = ("-c", package / "pyproject.toml", package / RUNTIME)
    env = {"CUVEC_DEVICE": "cuda", "PYTHONDONTWRITEBYTECODE": "1"}
    output = runtime_on_311.python("-m", "pytest", *options, cwd=runtime_on_311.bin.parent, env=env, ok=False)
    assert "RuntimeError: CUVEC_DEVICE is cuda, but" in output
    assert " passed" not in output
