"""templates/README.md tells how to add a bridge: done to the letter, that gives a package that fulfils the contract."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from developer import QUICK
from environment import Environment
from generator import executable, scaffold
from recipe import section
from shell import ROOT, run


def blocks(text: str) -> list[str]:
    """The blocks of shell commands, in list items too."""
    return re.findall(r"^ *```sh\n(.*?)^ *```$", text, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def steps() -> list[str]:
    return blocks(section((ROOT / "templates/README.md").read_text(), "Add a bridge"))


@pytest.fixture(scope="module")
def checkout(steps: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Templates with the bridge `example`, a copy of another one under a new name."""
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "templates", folder / "templates")
    run("bash", "-euo", "pipefail", "-c", steps[0], cwd=folder)
    return folder


def test_it_is_listed(checkout: Path) -> None:
    shown = run(executable(), "--list", "--templates", "templates", cwd=checkout)
    assert re.search(r"^  example +C\+\+: example module \(kernels: cu\)$", shown, flags=re.MULTILINE)


def test_it_fulfils_the_contract(checkout: Path, steps: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    assert "--templates templates --bridge example" in steps[1]
    environment = Environment(tmp_path_factory.mktemp("example") / "venv", "3.11")
    package = scaffold(checkout / "mypkg", bridge="example", templates=str(checkout / "templates"))
    environment.install(f"--group={package / 'pyproject.toml'}:build", f"--group={package / 'pyproject.toml'}:test")
    env = {"PATH": f"{environment.bin}:/usr/bin:/bin", "CUDA": "OFF", **QUICK}  # the kernels are those of all
    env["SKBUILD_BUILD_DIR"] = str(checkout / "build")
    environment.pip("install", "--no-build-isolation", "--no-deps", package, env=env)
    # Those of one function: it is a bridge that all tests are run of, under another name.
    assert set(environment.pytest(package, "-k", "axpy")) <= {"passed", "skipped"}
