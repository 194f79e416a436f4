"""The folder of the runtime where pip has installed it: `python -m cuvec_runtime` prints it."""

from pathlib import Path


def path() -> Path:
    """Return the folder, which holds the same files as `runtime/` of a package with a copy."""
    return Path(__file__).parent
