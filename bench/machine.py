"""The machine that something ran on."""

from __future__ import annotations

import datetime
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PEERS = ["numpy", "cupy-cuda13x", "torch", "jax", "numba", "numba-cuda", "dask"]


def today() -> str:
    return f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"


def commit() -> str:
    """The commit of this repository, "-dirty" if something was changed since."""
    describe = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    return subprocess.check_output(describe, text=True, cwd=Path(__file__).parent).strip()


def driver() -> str:
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    return subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def gpus() -> int:
    listed = subprocess.run(["nvidia-smi", "--list-gpus"], check=True, capture_output=True, text=True).stdout
    return len(listed.splitlines())


def installed(names: Sequence[str] = PEERS) -> str:
    """The versions of Python and of those that are there."""
    found = [f"Python {sys.version.split()[0]}"]
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
