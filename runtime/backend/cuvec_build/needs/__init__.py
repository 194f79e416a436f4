"""Finds reasons why a package cannot be built on this machine: `cuvec-new doctor` runs it.

It finds programs as a build does, and asks the doctor in `cuvec/doctor/` about drivers, memory and wheels.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import sys
import sysconfig
import tomllib
from pathlib import Path

from .. import cache
from ..ptx import tools
from ..ptx.tools import ask
from ..rust import which
from ..sources import RUNTIME
from . import compilers, toolkit
from .programs import EXE, Finding, Package, find, is_without_cuda, shown, version_in

INSTALL_RUST = "install Rust: https://rustup.rs"
LOWEST_CMAKE = (3, 27)
# By these files rustup chooses another toolchain in a folder, and in those below.
CHOICES = ("rust-toolchain.toml", "rust-toolchain")


def rust(package: Package) -> list[Finding]:
    """Look for cargo, and the rustc beside it."""
    cargo = which("cargo")
    if cargo is None:
        found = "none on the PATH, none in ~/.cargo/bin"
        return [Finding("cargo", "problem", found, INSTALL_RUST)]
    said = ask(cargo, "--version")
    if said is None:
        return [Finding("cargo", "problem", f"{cargo} does not run", "rustup default stable")]
    version = version_in(said)
    found = [Finding("cargo", "ok", f"{shown(version)} at {cargo}" if version else cargo)]
    rustc = Path(cargo).with_name(f"rustc{EXE}")
    version = version_in(ask(str(rustc), "--version"))
    core = tomllib.loads((RUNTIME / "core/Cargo.toml").read_text(encoding="utf-8"))
    lowest = version_in(core["package"]["rust-version"])
    if version is None:
        found.append(Finding("rustc", "problem", f"{rustc} does not run", INSTALL_RUST))
    elif version < lowest:
        older = f"{shown(version)} at {rustc} is older than {shown(lowest)}"
        found.append(Finding("rustc", "problem", older, "rustup update stable"))
    else:
        found.append(Finding("rustc", "ok", f"{shown(version)} at {rustc}"))
    folder = Path(package.folder)
    paths = (place / name for place in (folder, *folder.parents) for name in CHOICES)
    if path := next(filter(Path.exists, paths), None):  # what a package chooses is not run
        hint = f"if you trust it: cd {shlex.quote(str(folder))} && rustc --version"
        chooses = f"{path} chooses the toolchain of the build"
        found.append(Finding("toolchain", "warning", chooses, hint))
    return found


def kept(package: Package) -> list[Finding]:
    """Look at the folder where builds keep what they can use again, such as the core."""
    folder = cache.named_folder(Path(package.folder))
    without = "none, for {}: every build compiles all"
    if os.environ.get("CUVEC_CACHE") == "0":
        return [Finding("core", "ok", without.format("CUVEC_CACHE is 0"))]
    if folder is None:
        return [Finding("core", "ok", without.format("there is no home"))]
    count = sum(1 for _ in folder.glob("core-*"))
    core = f"{'one' if count == 1 else count} compiled in {folder}"
    if not count:
        core = f"none in {folder} yet: the first build compiles it"
    paths = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    size = sum(path.lstat().st_size for path in paths if path.exists()) // 1_000_000
    remove = "rmdir /s" if sys.platform == "win32" else "rm -r"
    empty = f"{size} MB in {folder}; `{remove} {shlex.quote(str(folder))}` empties it"
    return [Finding("core", "ok", core), *([Finding("cache", "ok", empty)] if size else [])]


def python(package: Package) -> list[Finding]:
    """Look at the Python that this is, and its headers where the bindings are compiled against them."""
    if not package.python:
        return []
    found = [Finding("Python", "ok", f"{platform.python_version()} at {sys.executable}")]
    header = Path(sysconfig.get_path("include"), "Python.h")
    if package.headers and header.exists():
        found.append(Finding("headers of Python", "ok", str(header)))
    elif package.headers:
        hint = "on Debian and Ubuntu: apt install python3-dev"
        found.append(Finding("headers of Python", "problem", f"there is no {header}", hint))
    return found


def cmake(_package: Package) -> list[Finding]:
    """Look for CMake, which pip fetches where there is none."""
    path, fetched = find("cmake"), "pip fetches one for the build"
    if path is None:
        return [Finding("CMake", "ok", f"none: {fetched}")]
    version = version_in(ask(path, "--version"))
    if version is None:
        hint = "take it off the PATH, and pip fetches one"
        return [Finding("CMake", "problem", f"{path} does not run", hint)]
    older = f" is older than {shown(LOWEST_CMAKE)}: {fetched}" if version < LOWEST_CMAKE else ""
    return [Finding("CMake", "ok", f"{shown(version)} at {path}{older}")]


def kernels(package: Package) -> list[Finding]:
    """Look for the compiler of kernels in Rust, and the assembler, which are needed after an edit of them."""
    if not package.rust or is_without_cuda():
        return []
    compiler, assembler = tools.rustc(), tools.ptxas()
    named = os.environ.get("KERNELS_PTXAS")
    if not compiler.problem:
        first = Finding("compiler of kernels", "ok", compiler.rustc)
    else:
        which_ones = ", ".join(package.new) or "kernels that are edited"
        found = f"{compiler.problem}; {which_ones} cannot be compiled"
        status = "problem" if package.new else "warning"
        first = Finding("compiler of kernels", status, found, compiler.fix)
    check = "assembler of kernels"
    if assembler and Path(assembler).exists():
        return [first, Finding(check, "ok", assembler)]
    if named:
        found = f"KERNELS_PTXAS: there is no {named}"
        return [first, Finding(check, "warning", found, "unset KERNELS_PTXAS")]
    return [first, Finding(check, "ok", "none; a build gets one from PyPI after an edit")]


# Every build begins with Rust.
CHECKS = (rust, kept, python, cmake, toolkit.look, compilers.look, kernels)


def of_package(package: str) -> list[Finding]:
    """Return what was found for a package, which is described in JSON."""
    from doctor import command, machine

    about = Package(**json.loads(package))
    os.chdir(os.sep)  # files of a package must not decide which programs run
    os.environ["LC_ALL"] = "C"  # for messages that are read here
    found = [it for check in CHECKS for it in check(about)]
    return [*found, *command.of_machine(machine.Machine(), "cu" if about.nvcc else "rust")]


def of_wheel(file: str) -> list[Finding]:
    """Return what was found of a wheel, which says itself what its kernels are."""
    from doctor import wheel

    return wheel.look(Path(file))


def of_rustc(_: str) -> list[Finding]:
    """Return what is wrong with the compiler of kernels in Rust, if anything."""
    found = tools.rustc()
    return [Finding("rustc", "problem", found.problem, found.fix)] if found.problem else []


def for_generator(what: str, about: str) -> str:
    """Return in JSON what was found of a package, a wheel, or rustc."""
    from doctor.machine import in_json

    return in_json({"package": of_package, "wheel": of_wheel, "rustc": of_rustc}[what](about))
