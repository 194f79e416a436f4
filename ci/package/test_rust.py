"""cargo works in a generated package on its own, without pip."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from environment import Environment
from recipe import follow
from rustc import COMPILER
from shell import ROOT, run
from workflow import commands


@pytest.fixture(scope="session")
def crate(work: Path, package: Path) -> Path:
    """With one more kernel, a large one, if kernels are in Rust."""
    if not (package / "runtime/native/Cargo.toml").exists():
        pytest.skip("no Rust in it")
    copy = Path(shutil.copytree(package, work / "crate" / "mypkg"))
    if (copy / "kernels/kernels.ptx").exists():
        follow(copy, ROOT / "ci/kernels/heat.md")
    return copy


@pytest.fixture(scope="session")
def active(build_tools: Environment) -> dict[str, str]:
    """The environment variables of a shell in which the package's virtual environment is active."""
    return {
        "PATH": build_tools.path,
        "VIRTUAL_ENV": str(build_tools.bin.parent),
        "KERNELS_RUSTC": COMPILER,
    }


def test_rustfmt_and_clippy(crate: Path, active: dict[str, str]) -> None:
    run("cargo", "fmt", "--all", "--check", cwd=crate / "runtime/native")
    clippy, _ = commands(crate, "runtime")
    run(*clippy, cwd=crate, env=active)


def test_cargo_test(crate: Path, active: dict[str, str], show: Callable[[str], None]) -> None:
    _, test = commands(crate, "runtime")
    output = run(*test, cwd=crate, env=active)
    results = [line for line in output.splitlines() if line.startswith("test result:")]
    show("cargo test in mypkg: " + "; ".join(result.split(";")[0] for result in results))
    assert any(not line.startswith("test result: ok. 0 passed") for line in results)
