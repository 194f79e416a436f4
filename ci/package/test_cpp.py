"""The host code in C++ builds without Python, with warnings as errors; its own tests pass; clang-tidy has no complaint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from developer import DEVELOPMENT
from environment import Environment
from generator import combinations, scaffold
from recipe import section
from shell import run
from workflow import commands

# One bridge of this host is enough: the code is the same for all; theirs is built strictly by test_strict.py.
BRIDGE = "nanobind"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scaffold(tmp_path_factory.mktemp("cpp") / "mypkg", bridge=BRIDGE)


@pytest.fixture(scope="module")
def active(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment variables of a shell in which an environment with the build requirements is active."""
    tools = Environment(tmp_path_factory.mktemp("cpp-tools"), "3.11")
    tools.install(f"--group={tree / 'pyproject.toml'}:build")
    return {"PATH": tools.path, "VIRTUAL_ENV": str(tools.bin.parent), **DEVELOPMENT}


@pytest.fixture(scope="module")
def built(tree: Path, active: dict[str, str]) -> Path:
    """As the runtime's README and workflow build it, warnings of compiler and clang-tidy being errors."""
    options = ("-DBUILD_TESTING=ON", "-DSTRICT=ON", "-DCMAKE_CXX_CLANG_TIDY=clang-tidy")
    readme = section((tree / "runtime/README.md").read_text(), "Tests")
    assert all(option in readme for option in options)
    # Of nvcc, what wheels have of it; the C++ compiler is left as it is.
    like_a_wheel = ("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=")
    configure, build, _ = commands(tree, "runtime")
    assert set(options) <= set(configure)
    run(*configure, *like_a_wheel, cwd=tree, env=active)
    run(*build, cwd=tree, env=active)
    return tree


def test_ctest(built: Path, active: dict[str, str], show: Callable[[str], None]) -> None:
    _, _, test = commands(built, "runtime")
    output = run(*test, cwd=built, env=active)
    show("ctest in host: " + " ".join(line for line in output.splitlines() if "tests passed" in line))
    assert "100% tests passed" in output


def test_the_bridge_is_one_of_those_listed() -> None:
    assert BRIDGE in {combination.bridge for combination in combinations()}
