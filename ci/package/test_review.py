"""A fresh project passes sp-repo-review and zizmor, whatever CI it has and whichever host it is built on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from generator import PROVIDERS, scaffold
from shell import run

BRIDGES = ("pyo3", "pybind11")  # one of each host


@pytest.fixture(scope="module", params=[(bridge, ci) for bridge in BRIDGES for ci in PROVIDERS], ids="-".join)
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    bridge, ci = request.param
    return scaffold(tmp_path_factory.mktemp("review") / "mypkg", bridge=bridge, ci=ci)


def test_sp_repo_review(project: Path) -> None:
    """Whose ignored checks are in pyproject.toml, each with its reason."""
    checks = json.loads(run("sp-repo-review", "--format", "json", project))["checks"]
    assert len(checks) > 30
    assert not {name for name, check in checks.items() if check["result"] is False}
    text = (project / "pyproject.toml").read_text()
    _, _, ignored = text.partition("[tool.repo-review]\nignore = [\n")
    lines = ignored.partition("]\n")[0].splitlines()
    assert lines
    assert all('", # ' in line for line in lines)


def test_zizmor(project: Path) -> None:
    run("zizmor", "--offline", "--pedantic", "--strict-collection", "--no-progress", project)
