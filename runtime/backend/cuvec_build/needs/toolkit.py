"""The nvcc that a build would take, and what else is of its toolkit."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

from ..ptx.tools import ask
from .programs import EXE, Finding, Package, find, is_without_cuda, named, shown, version_in

FETCHED, LOWEST = (13, 0), (12, 0)
# Newest GCC and Clang that the nvcc accepts which pip fetches.
ACCEPTED = (15, 20)
# Those that name a toolkit; the first one that is set does.
TOOLKITS = ("CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT")


def is_fetched(package: Package) -> bool:
    """Return whether pip fetches nvcc: PyPI has one of this version only."""
    return package.cuda == FETCHED[0]


def chosen(package: Package) -> tuple[str, str] | None:
    """Return the nvcc of the user's own that a build takes, and what names it."""
    value, found = named("CUDACXX")
    if value:
        return found or value, "CUDACXX"
    for variable in TOOLKITS:
        if folder := os.environ.get(variable):
            return str(Path(folder, f"bin/nvcc{EXE}")), variable
    found = find("nvcc", folder="/usr/local/cuda/bin")
    return (found, "PATH") if found and not is_fetched(package) else None


def header(nvcc: str, name: str) -> Path | None:
    """Return where the toolkit has a header."""
    target = f"targets/{platform.machine()}-linux/include"
    root = Path(nvcc).resolve().parent.parent
    paths = (root / folder / name for folder in ("include", "include/cccl", target))
    return next(filter(Path.exists, paths), None)


def look(package: Package) -> list[Finding]:
    """Look for nvcc, and for what compiles with it."""
    if not package.nvcc:
        return []
    if is_without_cuda():
        found = "CUDA=OFF: the package will work on the CPU alone"
        return [Finding("nvcc", "warning", found, "for the GPU: unset CUDA")]
    own = chosen(package)
    if own is None and not is_fetched(package):
        found = f"none, and PyPI has none of CUDA {package.cuda}"
        return [Finding("nvcc", "problem", found, way_out(package))]
    if own is None:
        unused = find("nvcc")
        found = f"{shown(FETCHED)}, which pip fetches for the build"
        return [Finding("nvcc", "ok", found + (f"; {unused} is not used" if unused else ""))]
    nvcc, variable = own
    found = [*stale(variable), judge(nvcc, variable, package)]
    return found if any(it.hint for it in found) else [*found, cccl(nvcc, variable)]


def stale(used: str) -> list[Finding]:
    """Return variables that name other toolkits than the one that is used, or none."""
    found = []
    for variable in TOOLKITS:
        folder = os.environ.get(variable)
        other = os.environ.get(used)
        if folder and not Path(folder, "bin").is_dir():
            what = f"{folder} is no toolkit"
            found.append(Finding(variable, "problem", what, f"unset {variable}"))
        elif folder and other and not other.startswith(folder):
            what = f"{folder} is not used, for {used} is set"
            found.append(Finding(variable, "warning", what, f"unset {variable}"))
    return found


def way_out(package: Package, variable: str = "") -> str:
    """Return the way to the right nvcc; the variable names another one."""
    if variable and is_fetched(package):
        return f"unset {variable}, and pip fetches nvcc {shown(FETCHED)}"
    return f"set CUDA_HOME to a toolkit of CUDA {package.cuda}"


def judge(nvcc: str, variable: str, package: Package) -> Finding:
    """Judge the version of nvcc."""
    hint, place = way_out(package, variable), f"{nvcc} of {variable}"
    if not Path(nvcc).exists():
        return Finding("nvcc", "problem", f"there is no {place}", hint)
    version = version_in((ask(nvcc, "--version") or "").partition("release ")[2])
    if version is None:
        return Finding("nvcc", "problem", f"{place} does not run", hint)
    found = f"{shown(version)} at {place}"
    if version[0] > package.cuda and not is_fetched(package):
        found += f", but the package is for CUDA {package.cuda}"
    elif version < LOWEST:
        found += f" is older than {shown(LOWEST)}"
    else:
        return Finding("nvcc", "ok", found)
    return Finding("nvcc", "problem", found, hint)


def cccl(nvcc: str, variable: str) -> Finding:
    """Look for the headers of CUDA's C++ libraries."""
    if path := header(nvcc, "nv/target"):
        return Finding("CCCL", "ok", str(path))
    found = f"the toolkit of {variable} has no nv/target among its headers"
    hint = f"install its CCCL, such as `apt install cuda-cccl-13-0`, or unset {variable}"
    return Finding("CCCL", "problem", found, hint)


def accepted(package: Package) -> tuple[int, int] | None:
    """Return the newest GCC and Clang that nvcc accepts, by the header that refuses others; nothing where there is no nvcc."""
    if not package.nvcc or is_without_cuda():
        return None
    own = chosen(package)
    path = own and header(own[0], "crt/host_config.h")
    text = path.read_text(errors="replace") if path else ""
    gcc, clang = re.search(r"__GNUC__ > (\d+)", text), re.search(r"__clang_major__ >= (\d+)", text)
    return (int(gcc[1]), int(clang[1]) - 1) if gcc and clang else ACCEPTED
