"""Runs cuvec-new."""

from __future__ import annotations

import json
import os
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

from shell import ROOT, run


def executable() -> Path:
    """The generator that `ci/test` built, or the one that CUVEC_NEW names."""
    path = Path(os.environ.get("CUVEC_NEW", ROOT / "target/debug/cuvec-new"))
    end = time.monotonic() + 60
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.2)  # tests of examples have cargo build it again, if a file of the templates was touched
    assert path.exists(), f"{path} is not there: cargo build"
    return path


class Combination(NamedTuple):
    """A bridge, and kernels that go with it."""

    bridge: str
    kernels: str

    def __str__(self) -> str:
        return f"{self.bridge}-{self.kernels}"


@cache
def listing() -> dict[str, list[dict]]:
    """What there is to choose, by kind."""
    # Not by `run`: this is asked for outside of tests, too, where what it shows would be the last of the output.
    return json.loads(subprocess.check_output([executable(), "--list", "--json"]))


LICENSES = tuple(license["name"] for license in listing()["licenses"])
PROVIDERS = tuple(provider["name"] for provider in listing()["ci"])

# One of each host, and the bridge that is written in Python: what else differs is no matter to most auditors.
SAMPLES = (Combination("pyo3", "cu"), Combination("nanobind", "cu"), Combination("ctypes", "cu"))


@cache
def combinations() -> list[Combination]:
    """All that `cuvec-new --list` offers, the default first."""
    return [Combination(bridge["name"], kernels) for bridge in listing()["bridges"] for kernels in bridge["kernels"]]


def scaffold(folder: Path, name: str = "mypkg", **answers: str) -> Path:
    """A package `name` in the new folder `folder`; `license="MIT"` is `--license MIT`."""
    given = {"author": "Ada Lovelace", "email": "ada@example.org", **answers}
    flags = [word for key, value in given.items() for word in (f"--{key}", value)]
    run(executable(), name, "--output", folder, "--no-git", "--quiet", *flags)
    return folder
