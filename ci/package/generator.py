"""Runs cuvec-new."""

import json
import os
import subprocess
from pathlib import Path

from shell import ROOT, run

EXECUTABLE = Path(os.environ.get("CUVEC_NEW", ROOT / "target/debug/cuvec-new"))
# Not by `run`: this is asked for outside of tests, too, where what it shows would be the last of the output.
LISTING: dict[str, list[dict]] = json.loads(subprocess.check_output([EXECUTABLE, "list", "--json"]))


def names(kind: str) -> tuple[str, ...]:
    """The choices of a kind, the default first."""
    choices = sorted(LISTING[kind], key=lambda choice: not choice["default"])
    return tuple(choice["name"] for choice in choices)


BRIDGES, KERNELS, CUDA, LICENSES, PROVIDERS, DOCS, RUNTIMES = map(
    names, ("bridges", "kernels", "cuda", "licenses", "ci", "docs", "runtimes")
)
COMBINATIONS = [(bridge, kernels) for bridge in BRIDGES for kernels in KERNELS]


def unpack(package: Path) -> Path:
    """The runtime of a package, where a build unpacks it."""
    run("python", package / "runtime/backend.py")
    return package / "build/cuvec_runtime"


def scaffold(folder: Path, name: str = "mypkg", **answers: str) -> Path:
    """A package `name` in the new folder `folder`; `license="MIT"` is `--license MIT`."""
    given = {"author": "Ada Lovelace", "email": "ada@example.org", **answers}
    flags = [word for key, value in given.items() for word in (f"--{key}", value)]
    run(EXECUTABLE, name, "--output", folder, "--no-git", "--quiet", *flags)
    return folder
