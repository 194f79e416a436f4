"""The files of a package that decide what is built of it, and the runtime among them."""

from __future__ import annotations

import contextlib
import filecmp
import os
import shutil
import sys
import tomllib
from pathlib import Path

from .cache import sum_of

RUNTIME = Path(__file__).absolute().parents[2]


def state(path: Path) -> list[int]:
    """Return what tells whether a file was written to; it may be large, and is not read."""
    found = path.stat()
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns]


def sums(folder: Path, names: list[str]) -> dict[str, str]:
    """Return the SHA-256 of the files that can be read."""
    found = {}
    for name in names:
        with contextlib.suppress(OSError):
            found[name] = sum_of(folder / name)
    return found


def files(source: Path) -> list[str]:
    """List the files of a package, without hidden ones and those that tools have made."""
    found = []
    for place, folders, names in os.walk(source):
        made = {"CACHEDIR.TAG", "pyvenv.cfg"}
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith((".", "__pycache__"))
            and not (Path(place) == source and name in {"build", "dist", "wheelhouse"})
            and not any((Path(place) / name / mark).exists() for mark in made)
            and Path(place) / name != RUNTIME  # which counts wherever it is
        )
        found += [
            Path(place, name).relative_to(source).as_posix()
            for name in names
            if not name.startswith(".")
        ]
    return sorted(name for name in found if (source / name).is_file())


def of_crates(runtime: Path, *names: str) -> list[str]:
    """List the files that crates of the runtime, and the crates that they depend on, are compiled from."""
    crates = [*names]
    for crate in crates:  # which grows
        manifest = tomllib.loads((runtime / crate / "Cargo.toml").read_text(encoding="utf-8"))
        paths = (it.get("path") for it in manifest["dependencies"].values() if isinstance(it, dict))
        crates += [it for path in paths if path and (it := Path(path).name) not in crates]
    found = [Path("Cargo.toml"), Path("Cargo.lock")]
    for crate in crates:
        sources = (runtime / crate / "src").rglob("*")
        found += [Path(crate, name) for name in ("Cargo.toml", "build.rs")]
        found += [path.relative_to(runtime) for path in sources]
    return sorted(it.as_posix() for it in found if (runtime / it).is_file())


# By cargo, Python, and whoever works on a package.
MADE = {"target", "__pycache__", ".git", ".venv"}


def copy(source: Path, target: Path) -> Path:
    """Make the target the same as the source; files that are the same are left alone. Return the target."""
    target.mkdir(exist_ok=True)
    wanted, there = (names_of(folder) for folder in (source, target))
    for name in there - wanted:
        (target / name).unlink()
    for name in wanted:
        if name not in there or not filecmp.cmp(source / name, target / name, False):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            new = target / f"{name}.{os.getpid()}"  # so that another build never sees a part of it
            shutil.copyfile(source / name, new)
            new.replace(target / name)
        if (source / name).stat().st_mode != (target / name).stat().st_mode:
            shutil.copymode(source / name, target / name)
    return target


def names_of(folder: Path) -> set[Path]:
    """Return the files of a folder, without those that tools have made."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {name for name in names if not MADE & {*name.parts}}


def place_runtime() -> None:
    """Copy the runtime, wherever it was installed or unpacked, into the package in the current folder.

    There CMake, cargo and editors find it by a path that lasts.
    """
    target = Path.cwd() / "build" / "cuvec_runtime"
    try:
        if target.resolve() != RUNTIME.resolve():
            target.parent.mkdir(exist_ok=True)
            copy(RUNTIME, target)
    except OSError as error:
        sys.exit(
            f"{target} cannot be written ({error.strerror}), and there is no cache: set CUVEC_CACHE to a folder"
        )
