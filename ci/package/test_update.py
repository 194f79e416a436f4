"""A package that its owner has worked on is updated, to an invented next version with other bindings, and built. Its tests pass, the
owner's own kernel's among them. `tests/update/` has what is written."""

import shutil
from pathlib import Path

import pytest
from environment import Environment, groups
from files import replace
from generator import EXECUTABLE, scaffold
from recipe import follow
from shell import ROOT, run

LATER = "from {{module}}.later import LATER\n\n\ndef test_later() -> None:\n    assert LATER\n"


@pytest.fixture(scope="module")
def next_version(folder: Path) -> Path:
    """Templates that change, add, rename and delete files outside of the runtime."""
    common = Path(shutil.copytree(ROOT / "templates", folder / "templates")) / "common"
    replace(common / "README.md.hbs", "GPU functions for Python.", "Functions for Python.")
    replace(common / "pyproject.toml.hbs", 'log_level = "INFO"', 'log_level = "DEBUG"')
    (common / "tests/test_later.py.hbs").write_text(LATER)
    (common / "SECURITY.md").rename(common / "REPORTING.md")
    (common / ".clang-format").unlink()
    (common / "python/{{module}}/later.py").write_text("LATER = True\n")
    return common.parent


@pytest.fixture(scope="module")
def worked_on(folder: Path) -> Path:
    """A package with a kernel and edits of its owner."""
    package = scaffold(folder / "mypkg", bridge="nanobind", kernels="cu")
    follow(package)
    replace(package / "README.md", "## Limits\n", "## Limits\n\n- Mine.\n")
    replace(package / "pyproject.toml", 'dependencies = ["numpy>=1.26"]', 'dependencies = ["numpy>=1.26", "packaging"]')
    return package


def test_an_updated_package_builds_and_passes_its_tests(worked_on: Path, next_version: Path, tmp_path: Path) -> None:
    package = Path(shutil.copytree(worked_on, tmp_path / "mypkg"))
    shown = run(EXECUTABLE, "update", package, "--templates", next_version, "--bridge", "pyo3")
    assert "merged with your edits:\n  README.md\n  pyproject.toml\n" in shown
    assert "- Mine.\n" in (package / "README.md").read_text()
    run(EXECUTABLE, "update", package, "--check", "--templates", next_version)

    environment = Environment(tmp_path / "venv", "3.11", *groups(package, "build", "test"))
    env = {"PATH": environment.path, "CUDA": "OFF"}
    environment.pip("install", "--quiet", "--no-build-isolation", package, env=env)
    environment.python("-c", "import packaging")
    assert set(environment.pytest(package)) <= {"passed", "skipped"}
    assert environment.pytest(package, "-k", "soft_threshold or later")["passed"] >= 3
