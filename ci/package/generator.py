"""Runs cuvec-new."""

from __future__ import annotations

import os
from pathlib import Path

from shell import ROOT, run

LICENSES = ("MIT", "Apache-2.0", "BSD-3-Clause", "MPL-2.0")
PROVIDERS = ("github", "gitlab", "none")


def executable() -> Path:
    """The generator that `ci/test` built, or the one that CUVEC_NEW names."""
    path = Path(os.environ.get("CUVEC_NEW", ROOT / "target/debug/cuvec-new"))
    assert path.exists(), f"{path} is not there: cargo build"
    return path


def scaffold(folder: Path, name: str = "mypkg", **answers: str) -> Path:
    """A package `name` in the new folder `folder`; `license="MIT"` is `--license MIT`."""
    given = {"author": "Ada Lovelace", "email": "ada@example.org", **answers}
    flags = [word for key, value in given.items() for word in (f"--{key}", value)]
    run(executable(), name, "--output", folder, "--no-git", "--quiet", *flags)
    return folder
