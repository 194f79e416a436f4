"""Changes that bring a library into a package, for examples/library, whose files are as `cuvec-new` made them, but for these."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

from lines import count

HEAD = ["", "files", "lines", "of these, written or edited for the package"]


def rows(example: Path) -> list[list[str]]:
    """The library, the files that name it, and the functions that call it."""
    library = sorted(example.glob("extern/*/*"))
    kernels = sorted(example.glob("kernels/*"))
    made = as_made(example)
    build = [(example / name).read_text("utf-8").splitlines() for name in ("CMakeLists.txt", "pyproject.toml")]
    added = [*new(made["CMakeLists.txt"], build[0]), *(line for line in build[1] if "cufft" in line)]
    return [
        HEAD,
        ["the library, `extern/fbp`", *measured(library), str(sum(map(edited, library)))],
        ["`CMakeLists.txt`, `pyproject.toml`", "2", str(sum(map(len, build))), str(len(added))],
        ["the functions, `kernels/`", *measured(kernels), measured(kernels)[1]],
    ]


def measured(files: list[Path]) -> list[str]:
    return [str(len(files)), str(sum(map(count, files)))]


def edited(file: Path) -> int:
    """Lines of the library that know of the package."""
    return sum("cuvec" in line.lower() for line in file.read_text("utf-8").splitlines())


def new(before: list[str], after: list[str]) -> Iterable[str]:
    return (line for line in difflib.ndiff(before, after) if line.startswith("+ "))


def as_made(example: Path) -> dict[str, list[str]]:
    """The lines of files as `cuvec-new` has made them: `.cuvec-new.lock` has each behind a form feed and its path."""
    _, *files = (example / ".cuvec-new.lock").read_text("utf-8").split("\f")
    return {lines[0]: lines[1:] for lines in map(str.splitlines, files)}
