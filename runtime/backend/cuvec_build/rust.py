"""Rust where a machine has none: `puccinialin` of PyPI installs it into a folder of its own in the user's cache.

`CUVEC_INSTALL_RUST=0` does without; then a missing cargo is an error that says how to install it.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def requirements() -> list[str]:
    """Return what a frontend has to install for it: nothing where there is cargo."""
    wanted = os.environ.get("CUVEC_INSTALL_RUST") != "0"
    return ["puccinialin"] if wanted and is_missing() else []


def is_missing() -> bool:
    """Whether there is no cargo where `runtime/cmake/Cargo.cmake` looks for it."""
    homes = [os.environ.get("CARGO_HOME"), Path.home() / ".cargo"]
    paths = [os.environ.get("PATH", ""), *[str(Path(home, "bin")) for home in homes if home]]
    return shutil.which("cargo", path=os.pathsep.join(paths)) is None


def use() -> None:
    """Install it, or find what an earlier build has installed, and put it on PATH."""
    if not requirements():
        return
    try:
        from puccinialin import setup_rust
    except ImportError:  # this environment is one that somebody has made
        return
    try:
        os.environ.update(setup_rust(program="cuvec-rust"))
    except Exception as error:  # noqa: BLE001  # whatever it is, CMake says how to install Rust
        print(f"Rust could not be installed: {error}", file=sys.stderr)
