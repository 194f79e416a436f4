"""What the workflows of a package run, so that the same can be run here."""

from __future__ import annotations

import shlex
from pathlib import Path

import yaml


def commands(package: Path, workflow: str) -> list[list[str]]:
    """The commands of a workflow, such as "runtime", in words, without those that install or test with Python."""
    jobs = yaml.safe_load((package / f".github/workflows/{workflow}.yml").read_text())["jobs"]
    lines = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    return [shlex.split(line) for line in lines if not line.startswith("python -m ")]
