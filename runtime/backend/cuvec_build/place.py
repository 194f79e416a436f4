"""The runtime in the package that is built, `build/cuvec_runtime`: where CMake, cargo and editors find it by a path that lasts."""

from __future__ import annotations

import sys
from pathlib import Path

from .sources import RUNTIME, copy


def place_runtime() -> None:
    """Copy the runtime, wherever it was installed or unpacked, into the package in the current folder."""
    target = Path.cwd() / "build" / "cuvec_runtime"
    try:
        if target.resolve() != RUNTIME.resolve():
            target.parent.mkdir(exist_ok=True)
            copy(RUNTIME, target)
    except OSError as error:
        sys.exit(
            f"{target} cannot be written ({error.strerror}), and there is no cache: set CUVEC_CACHE to a folder"
        )
