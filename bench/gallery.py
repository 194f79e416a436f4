"""Contents of examples/: packages that cuvec-new made, and a program on one of them."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "examples"
EXAMPLES = sorted(project.parent for project in FOLDER.glob("*/pyproject.toml"))

BUILT_ON = {"cluster": ["tomography"]}
"""Examples that others need."""

FULL = {"cluster": 256}
"""Pixels, numbers or cells a side in full size: a scan of a slice is simulated on the CPU."""


def is_package(example: Path) -> bool:
    """True for a package without the runtime, which cuvec-new adds."""
    return (example / ".cuvec-new.toml").exists()


def needed(example: Path) -> list[Path]:
    """The examples to install for it, itself the last."""
    return [*(FOLDER / name for name in BUILT_ON.get(example.name, [])), example]


def full_size(example: Path) -> int:
    return FULL.get(example.name, 1024)
