"""The C++ compiler, compared with what the code needs and what nvcc accepts."""

from __future__ import annotations

import sys
from typing import NamedTuple

from ..ptx.tools import ask
from . import toolkit
from .programs import Finding, Package, find, named, shown, version_in

LOWEST = {"GCC": 9, "Clang": 10}
INSTALL = "install one, for instance with: apt install g++"


class Compiler(NamedTuple):
    """A compiler that runs."""

    name: str
    version: tuple[int, int]
    path: str

    def __str__(self) -> str:
        return f"{self.name} {shown(self.version)} at {self.path}"


def compiler(path: str | None) -> Compiler | None:
    """Return what a program says that it is."""
    first, *_ = [*((path and ask(path, "--version")) or "").splitlines(), ""]
    # Distributions put versions of their own before the compiler's: `g++ (Debian 12.2.0-14) 12.2.0`.
    version = version_in(first.rpartition(") ")[2]) or version_in(first)
    return Compiler("Clang" if "clang" in first else "GCC", version, path) if version else None


def look(package: Package) -> list[Finding]:
    """Look for the compiler that builds, and for the one that nvcc calls."""
    if sys.platform == "win32":
        return [Finding("C++ compiler", "ok", "CMake looks for Visual Studio by itself")]
    check, variable, names = "C compiler", "CC", ("cc", "gcc", "clang")
    if package.cpp:
        check, variable, names = "C++ compiler", "CXX", ("c++", "g++", "clang++")
    value, path = named(variable)
    if value and path is None:
        found = f"{variable} is `{value}`, which is no program"
        return [Finding(check, "problem", found, f"unset {variable}")]
    path = path or find(*names)
    if path is None:
        return [Finding(check, "problem", "none on the PATH", INSTALL)]
    own = compiler(path)
    if own is None:
        return [Finding(check, "problem", f"{path} does not run", INSTALL)]
    lowest = LOWEST[own.name]
    found = Finding(check, "ok", str(own))
    if package.cpp and own.version[0] < lowest:
        older = f"{own} is older than {lowest}, without C++17"
        found = Finding(check, "problem", older, INSTALL)
    accepted = toolkit.accepted(package)
    return [found, of_nvcc(accepted)] if accepted else [found]


def of_nvcc(accepted: tuple[int, int]) -> Finding:
    """Judge the compiler that nvcc calls."""
    check = "compiler of nvcc"
    names = (value for variable in ("CUDAHOSTCXX", "NVCC_CCBIN") for value in [named(variable)])
    _, path = next((it for it in names if it[0]), ("", None))
    own = compiler(path or find("g++", "gcc"))
    if own is None:
        hint = "apt install g++, or export CUDAHOSTCXX=/path/to/clang++"
        return Finding(check, "problem", "no g++ that runs", hint)
    newest = accepted[own.name == "Clang"]
    found = f"{own}; nvcc takes {own.name} up to {newest}"
    if own.version[0] <= newest:
        return Finding(check, "ok", found)
    package, program = ("clang-", "clang++-") if own.name == "Clang" else ("g++-", "g++-")
    hint = (
        f"apt install {package}{newest}; export CUDAHOSTCXX={program}{newest} CXX={program}{newest}"
    )
    return Finding(check, "problem", found, hint)
