"""The versions in ci/requirements.txt."""

from shell import ROOT


def pin(tool: str) -> str:
    """The requirement of a tool, such as "mypy==2.4.1"."""
    lines = (ROOT / "ci/requirements.txt").read_text().splitlines()
    return next(line for line in lines if line.startswith(f"{tool}=="))
