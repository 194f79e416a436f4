"""What workflows run, of a package or of this repository, so that the same can be run here."""

from __future__ import annotations

import shlex
from pathlib import Path

import yaml


def jobs(folder: Path, workflow: str) -> dict[str, dict]:
    """The jobs of a workflow, such as "runtime", by their names."""
    return yaml.safe_load((folder / f".github/workflows/{workflow}.yml").read_text())["jobs"]


def runs(job: dict) -> list[str]:
    """The commands of a job."""
    return [step["run"] for step in job["steps"] if "run" in step]


def commands(package: Path, workflow: str) -> list[list[str]]:
    """The commands of a workflow in words, without those that install or test with Python."""
    lines = [line for job in jobs(package, workflow).values() for line in runs(job)]
    return [shlex.split(line) for line in lines if not line.startswith("python -m ")]
