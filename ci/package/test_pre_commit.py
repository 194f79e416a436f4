"""`pre-commit run --all-files` changes nothing in a fresh project and finds nothing to say."""

from pathlib import Path

import pytest
import yaml
from generator import DOCS, KERNELS, scaffold
from shell import ROOT, run

# Settings of hooks, beyond their names, in the manifests of the repositories that .pre-commit-config.yaml names. Here the
# hooks come from PyPI, in the versions of ci/requirements.txt, because cloning their repositories needs GitHub.
MANIFEST = {
    "check-added-large-files": {"types": ["file"]},
    "check-case-conflict": {"types": ["file"]},
    "check-merge-conflict": {"types": ["text"]},
    "check-toml": {"types": ["toml"]},
    "check-yaml": {"types": ["yaml"]},
    "end-of-file-fixer": {"types": ["text"]},
    "mixed-line-ending": {"types": ["text"]},
    "trailing-whitespace": {"entry": "trailing-whitespace-fixer", "types": ["text"]},
    "ruff-check": {"entry": "ruff check --force-exclude", "types_or": ["python", "pyi", "jupyter"]},
    "ruff-format": {"entry": "ruff format --force-exclude", "types_or": ["python", "pyi", "jupyter"]},
    "clang-format": {"entry": "clang-format -style=file -i"},
    "codespell": {},
    "zizmor": {"entry": "zizmor --offline", "files": r"(\.github/workflows/.*|action)\.ya?ml$|dependabot\.ya?ml$"},
}


def local(config: dict) -> dict:
    """`config`, with each hook of a repository as a command of ours."""
    for repository in config["repos"]:
        if repository["repo"] == "local":
            continue
        repository["repo"] = "local"
        del repository["rev"]
        for hook in repository["hooks"]:
            name = hook["id"]
            known = {"name": name, "entry": name, "language": "system", **MANIFEST[name]}
            hook.update({key: value for key, value in known.items() if key not in hook})
    return config


@pytest.mark.parametrize(("kernels", "docs"), [*zip(KERNELS, DOCS, strict=True)])
def test_pre_commit(kernels: str, docs: str, tmp_path: Path) -> None:
    copy = scaffold(tmp_path / "mypkg", kernels=kernels, docs=docs)
    config = yaml.safe_load((copy / ".pre-commit-config.yaml").read_text())
    translated = tmp_path / "pre-commit.yaml"
    translated.write_text(yaml.safe_dump(local(config)))
    shown = run("pre-commit", "run", "--all-files", "--config", translated, cwd=copy, ok=False)
    assert "Git repository" in shown
    assert "runs the linters, in a git repository." in " ".join((ROOT / "docs/how-to/edit-loop.md").read_text().split())
    run("git", "init", "--quiet", cwd=copy)
    run("git", "add", "--all", cwd=copy)
    run("pre-commit", "validate-config", copy / ".pre-commit-config.yaml")
    shown = run("pre-commit", "run", "--all-files", "--show-diff-on-failure", "--config", translated, cwd=copy)
    assert shown.count("Passed") >= len(MANIFEST) - 1  # without C++ nothing is left for clang-format
