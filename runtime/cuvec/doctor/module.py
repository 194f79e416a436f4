"""The native module of the installed package, looked at from outside."""

import platform
import re
import shutil
import sys
from collections.abc import Sequence
from importlib.metadata import (
    Distribution,
    PackageNotFoundError,
    distribution,
    packages_distributions,
)
from pathlib import Path

from .images import built_with, described, images
from .machine import Finding, Status, ask
from .wheel import misfit

SUFFIXES = (".so", ".pyd", ".dylib")
AGAIN = "pip install --force-reinstall --no-cache-dir"


def native(folders: Sequence[Path]) -> Path | None:
    """Return the library in the first of these folders that has one."""
    files = (file for folder in folders if folder.is_dir() for file in sorted(folder.iterdir()))
    return next((file for file in files if file.suffix in SUFFIXES), None)


def folders_of(package: str) -> list[Path]:
    """Return where Python looks for it: in an editable install the folder of the build, too."""
    return [Path(folder) for folder in sys.modules[f"{package}.cuvec"].__path__]


def distribution_of(package: str) -> Distribution | None:
    """Return the installed distribution that has this package; an editable one has its name only."""
    names = packages_distributions().get(package, [package])
    try:
        return distribution(names[0])
    except PackageNotFoundError:
        return None


def interpreter(package: str, installed: Distribution | None) -> Finding:
    """Judge the tags that the wheel had against this Python."""
    here = f"Python {platform.python_version()} at {sys.executable}, {platform.platform()}"
    lines = (installed.read_text("WHEEL") or "" if installed else "").splitlines()
    tags = [line.partition(": ")[2] for line in lines if line.startswith("Tag: ")]
    if not tags:
        found = f"{here}; {package} was installed by no wheel"
        return Finding("Python", "warning", found, "pip install .")
    reasons = [misfit(tag) for tag in tags]
    if all(reasons):
        return Finding(
            "Python", "problem", f"{here}; of the wheel, {reasons[0]}", f"{AGAIN} {package}"
        )
    return Finding("Python", "ok", f"{here}, fits {', '.join(tags)}")


def look(package: str, file: Path | None) -> list[Finding]:
    """Judge the file, the libraries that it needs, and the code for the GPU."""
    if file is None:
        return [Finding("native module", "problem", f"{package} has none", f"{AGAIN} {package}")]
    code = file.read_bytes()
    found = images(code)
    status: Status = "ok" if found else "warning"
    hint = "" if found else f"it was built with CUDA=OFF: {AGAIN} {package}"
    version = f", CUDA {'.'.join(map(str, built_with(code)))}" if found else ""
    return [
        Finding("native module", "ok", f"{file}, {len(code) / 1e6:.1f} MB"),
        libraries(package, file),
        Finding("GPU code", status, described(found) + version, hint),
    ]


def libraries(package: str, file: Path) -> Finding:
    """Ask the dynamic linker what the module needs; it runs nothing of it."""
    ldd = shutil.which("ldd")
    if ldd is None:
        hint = "on Debian and Ubuntu: apt install libc-bin"
        return Finding("libraries", "warning", "not looked at: there is no `ldd`", hint)
    code, said = ask(ldd, str(file))
    wrong = re.findall(r"(\S+) => not found|version [`']([^']+)' not found", said)
    if wrong:
        names = ", ".join(dict.fromkeys(library or version for library, version in wrong))
        hint = f"build it on this system: {AGAIN} --no-binary {package} {package}"
        return Finding("libraries", "problem", f"not found: {names}", hint)
    if code:
        return Finding(
            "libraries", "problem", said or f"ldd ended with {code}", f"{AGAIN} {package}"
        )
    needed = [line.split()[0].rpartition("/")[2] for line in said.splitlines()]
    return Finding("libraries", "ok", f"all found: {', '.join(needed)}")
