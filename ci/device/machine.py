"""The machine that something ran on."""

from __future__ import annotations

import datetime
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

PEERS = ["numpy", "cupy-cuda13x", "torch", "jax", "numba", "numba-cuda", "dask"]


def today() -> str:
    return f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"


def driver() -> str:
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    return subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def installed() -> str:
    found = [f"Python {sys.version.split()[0]}"]
    for name in PEERS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
