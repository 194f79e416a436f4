"""Wheels that CMake and scikit-build-core have made: one that lacks a native module is none, and an editable one gets additions.

Type checkers follow the paths in the file `.pth` of an editable install alone, and not the module in that, which imports a package from several
folders. For those scikit-build-core names the folders of the sources, where the stubs are not.
"""

from __future__ import annotations

import base64
import contextlib
import csv
import hashlib
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

from .sources import RUNTIME

VARIABLE = "_CUVEC_MODULES"  # of `list_module` in CMake: the file that names what was installed
ALWAYS = ("_core", "_functions")


@contextlib.contextmanager
def expected_modules() -> Iterator[Callable[[Path], None]]:
    """Return what refuses a wheel that lacks a module of the build in this context."""
    os.environ.pop("DESTDIR", None)  # by which packagers would have CMake install past the wheel
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder, "modules")
        os.environ[VARIABLE] = str(note)
        try:
            yield lambda wheel: refuse_without(wheel, note)
        finally:
            del os.environ[VARIABLE]


def refuse_without(wheel: Path, note: Path) -> None:
    """Remove a wheel that lacks a module, and end the build. An editable install with rebuild has them in a folder of its own."""
    listed = note.read_text(encoding="utf-8").splitlines() if note.exists() else []
    with ZipFile(wheel) as archive:
        names = {name.rpartition("/")[2] for name in archive.namelist()}
    installed = {Path(line).name for line in listed}
    missing = {
        path.name for path in map(Path, listed) if path.name not in names and not path.exists()
    }
    missing |= {name for name in ALWAYS if not any(it.startswith(f"{name}.") for it in installed)}
    if missing:
        wheel.unlink()
        print(
            f"the wheel lacks {', '.join(sorted(missing))}, which the build should have installed in it. "
            "CMAKE_INSTALL_* settings and variables of CMake may have put them elsewhere: "
            "pip install --verbose . lists where it installs them",
            file=sys.stderr,
        )
        raise SystemExit(1)


def link_types(source: Path, installed: Path) -> None:
    """Link the Python files of the package in `source`, which is installed in another folder, and what the build has made, into one."""
    types = source / "build/types" / installed.name
    shutil.rmtree(types, ignore_errors=True)
    link_files(source / "python" / installed.name, types)
    link_files(RUNTIME / "cuvec", types / "cuvec")
    link_files(RUNTIME / "dask", types / "dask")
    # The build's own are copied: without editable.rebuild their folder is gone after it.
    for file in [*python_files(installed), *installed.rglob("py.typed")]:
        place = types / file.relative_to(installed)
        if not place.exists():  # else it is a link to the same
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, place)


def python_files(folder: Path) -> list[Path]:
    """Return the files below a folder in Python, or as stubs."""
    return [it for it in folder.rglob("*.py*") if it.suffix in {".py", ".pyi"}]


def link_files(folder: Path, to: Path) -> None:
    """Link the Python files below a folder, or copy them where there are no links."""
    for file in python_files(folder):
        link = to / file.relative_to(folder)
        link.parent.mkdir(parents=True, exist_ok=True)
        try:
            link.symlink_to(file)
        except OSError:
            shutil.copy2(file, link)


def complete(wheel: Path) -> None:
    """Name the one folder in which a build has linked all Python files, and explain builds on import."""
    types = Path.cwd() / "build" / "types"
    with ZipFile(wheel) as archive:
        entries = {info: archive.read(info) for info in archive.infolist()}
    (pth,) = (it for it in entries if it.filename.endswith(".pth"))
    (record,) = (it for it in entries if it.filename.endswith(".dist-info/RECORD"))
    lines = entries[pth].decode().splitlines()
    hooks = [line for line in lines if line.startswith("import ")]
    if not hooks:  # the package is imported from where it is
        return
    changed = {}
    if types.is_dir():
        changed[pth] = "".join(f"{line}\n" for line in [*hooks, types]).encode()
    finders = {f"{hook.split()[1]}.py" for hook in hooks}
    messages = Path(__file__).with_name("on_import.py").read_bytes()
    changed |= {
        it: content + b"\n" + messages for it, content in entries.items() if it.filename in finders
    }
    entries |= changed
    hashes = {it.filename: hash_and_size(content) for it, content in changed.items()}
    rows = [*csv.reader(io.StringIO(entries[record].decode()))]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [row[0], *hashes[row[0]]] if row[0] in hashes else row for row in rows
    )
    entries[record] = text.getvalue().encode()
    with ZipFile(wheel, "w") as archive:
        for info, content in entries.items():
            archive.writestr(info, content)


def hash_and_size(content: bytes) -> tuple[str, str]:
    """Return them as a wheel records them."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    return f"sha256={digest.decode()}", str(len(content))
