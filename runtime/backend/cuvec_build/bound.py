"""Removal from the cache: builds of packages that are gone, entries not used for a month, and those above the limit.

Entries that another build may be using stay: folders of builds while these are locked, and all else for a day after its last use.
"""

from __future__ import annotations

import contextlib
import json
import platform
import secrets
import shutil
import sys
import time
from pathlib import Path

from .cache import lock

DAY = 86_400  # seconds
KEPT = 30 * DAY
LIMIT = 5_000_000_000  # bytes
BUILDS = "builds"
MARK = "tidied"


def tidy(cache: Path, now: float | None = None) -> None:
    """Remove what is not needed; all but the builds of packages that are gone is looked at once a day."""
    now = time.time() if now is None else now
    for folder in (cache / BUILDS).glob("*"):
        if is_of_gone_package(folder):
            remove(folder)
    mark = cache / MARK
    with contextlib.suppress(OSError):
        if mark.exists() and now - mark.stat().st_mtime < DAY:
            return
        mark.touch()
        entries = {path: now - path.stat().st_mtime for path in entries_of(cache)}
        sizes = {path: size_of(path) for path in entries}
        total = sum(sizes.values())
        for path, unused in sorted(entries.items(), key=lambda it: -it[1]):
            if unused < DAY:
                break
            if unused > KEPT or is_leftover(path) or total > LIMIT:
                remove(path)
                total -= sizes[path]


def entries_of(cache: Path) -> list[Path]:
    """List what was put into the cache, also by earlier versions."""
    return [
        path
        for path in (*cache.glob("*"), *cache.glob(f"{BUILDS}/*"))
        if path not in {cache / BUILDS, cache / MARK}
    ]


def is_leftover(path: Path) -> bool:
    """Return whether a killed build has left it: names of whole entries have no suffix."""
    return bool(path.suffix) and path.parent.name != BUILDS


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of those in a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files)


def here() -> list[str]:
    """Name the machine and, on Linux, the container, which see the same folders."""
    with contextlib.suppress(OSError):
        return [platform.node(), str(Path("/proc/self/ns/mnt").readlink())]
    return [platform.node()]


def is_of_gone_package(folder: Path) -> bool:
    """Return whether this machine built a package in the folder that is no longer where it was."""
    try:
        note = json.loads((folder / "note.json").read_text(encoding="utf-8"))
        return note["here"] == here() and not Path(note["source"]).exists()
    except (OSError, ValueError, KeyError, TypeError):
        return False


def remove(path: Path) -> None:
    """Remove an entry, unless a build is in it or it cannot be removed; it is gone at once, so that nobody sees a half of it."""
    with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
        if (path / "lock").exists():
            lock(stack.enter_context((path / "lock").open("w")))
        if sys.platform == "win32":  # where a folder with an open file keeps its name
            stack.close()
        gone = path.parent / f"{path.name}.{secrets.token_hex(8)}"
        path.rename(gone)
        if gone.is_dir():
            shutil.rmtree(gone, ignore_errors=True)
        else:
            gone.unlink()
