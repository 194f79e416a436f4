"""cargo works in a generated package on its own, without pip."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from environment import Environment
from shell import run


@pytest.fixture(scope="session")
def crate(work: Path, package: Path) -> Path:
    if not (package / "Cargo.toml").exists():
        pytest.skip("no Rust in it")
    return Path(shutil.copytree(package, work / "crate" / "mypkg"))


@pytest.fixture(scope="session")
def active(build_tools: Environment) -> dict[str, str]:
    """The environment variables of a shell in which the package's virtual environment is active."""
    return {"PATH": f"{build_tools.bin}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": str(build_tools.bin.parent)}


def test_clippy(crate: Path, active: dict[str, str]) -> None:
    run("cargo", "clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings", cwd=crate, env=active)


def test_cargo_test(crate: Path, active: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    output = run("cargo", "test", "--workspace", "--locked", cwd=crate, env=active)
    results = [line for line in output.splitlines() if line.startswith("test result:")]
    with capsys.disabled():
        print("\n  cargo test in mypkg:", *results, sep="\n    ")
    assert any(not line.startswith("test result: ok. 0 passed") for line in results)
