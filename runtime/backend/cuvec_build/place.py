"""The runtime in the package that is built, `build/cuvec_runtime`: where CMake, cargo and editors find it by a path that lasts."""

from __future__ import annotations

from pathlib import Path

from .folder import copy

RUNTIME = Path(__file__).parents[2]


def place_runtime() -> None:
    """Copy the runtime, wherever it was installed or unpacked, into the package in the current folder."""
    target = Path.cwd() / "build" / "cuvec_runtime"
    if target.resolve() != RUNTIME.resolve():
        copy(RUNTIME, target)
