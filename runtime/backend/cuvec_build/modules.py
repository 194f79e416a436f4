"""The native modules of a wheel: all that CMake was to install, or there is no wheel."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

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
