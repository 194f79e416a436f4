"""Programs of this machine and their versions, and the package that they are to build."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass

from ..sources import RUNTIME

sys.path.append(str(RUNTIME / "cuvec"))
from doctor.machine import Finding  # noqa: F401  # for all checks

EXE = ".exe" if sys.platform == "win32" else ""


@dataclass
class Package:
    """A package as the generator knows it: the languages that a build compiles, and files of kernels without PTX, `new`."""

    folder: str
    cuda: int
    python: bool  # this interpreter is one that the package is for
    headers: bool
    nvcc: bool
    cpp: bool
    rust: bool
    new: list[str]


def is_without_cuda() -> bool:
    """Return whether `CUDA=OFF` asks for a build for the CPU only."""
    return os.environ.get("CUDA") == "OFF"


def find(*names: str, folder: str = "") -> str | None:
    """Return the first program of these names on PATH, or in the folder."""
    path = os.pathsep.join(filter(None, (os.environ.get("PATH"), folder)))
    return next(filter(None, (shutil.which(name, path=path) for name in names)), None)


def named(variable: str) -> tuple[str, str | None]:
    """Return what a variable says, and the program that it names, by a path or as on PATH."""
    value = os.environ.get(variable, "")
    # Options may follow: `CXX="ccache g++"`.
    return value, find(value.split()[-1]) if value.strip() else None


def version_in(text: str | None) -> tuple[int, int] | None:
    """Return the first number with a dot in it, such as `13.2.0`, as far as it is compared."""
    found = re.search(r"(\d+)\.(\d+)", text or "")
    return (int(found[1]), int(found[2])) if found else None


def shown(version: tuple[int, int]) -> str:
    """Return a version as it is written."""
    return ".".join(map(str, version))
