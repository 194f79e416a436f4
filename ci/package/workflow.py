"""Commands in workflows of a package or of this repository, so that the same can be run here."""

from pathlib import Path

import yaml


def jobs(folder: Path, workflow: str) -> dict[str, dict]:
    """The jobs of a workflow, such as "ci", by their names."""
    return yaml.safe_load((folder / f".github/workflows/{workflow}.yml").read_text())["jobs"]


def runs(job: dict) -> list[str]:
    """The commands of a job."""
    return [step["run"] for step in job["steps"] if "run" in step]
