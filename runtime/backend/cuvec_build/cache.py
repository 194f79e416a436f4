"""The user's folder for what can be made again.

An entry is a folder `KIND-KEY`; the key is a hash of what it was made of. `files.json` in it has the size and the SHA-256 of each
file. A build takes a copy and works with that, so an entry may be removed at any time. Only `tools-*` are used where they are.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

LIST = "files.json"
PATIENCE = 600  # seconds, for another build that makes the same
ROOM = 1 << 20  # bytes that a cache must have left


def cache_folder() -> Path | None:
    """Return the folder, or None where there is none, `CUVEC_CACHE` is 0, or it cannot be written."""
    if os.environ.get("CUVEC_CACHE") == "0":
        return None
    folder = named_folder(Path())
    if folder is None or can_be_written(folder):
        return folder
    os.environ["CUVEC_CACHE"] = "0"  # it is said once
    return None


def named_folder(start: Path) -> Path | None:
    """Return the folder that the environment names, by a path from `start` perhaps; None where there is no home."""
    try:
        if named := os.environ.get("CUVEC_CACHE"):
            folder = Path(named)
        elif sys.platform == "win32":
            folder = Path(os.environ["LOCALAPPDATA"], "cuvec")
        else:
            folder = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "cuvec")
        return (start / folder.expanduser()).absolute()
    except (KeyError, RuntimeError):
        return None


def can_be_written(folder: Path) -> bool:
    """Return whether a file fits into the folder, and say so if none does."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
    except OSError as error:
        say(f"{folder} cannot be written, and the build does without: {error.strerror or error}")
        return False
    return True


def say(text: str) -> None:
    """Print a line that names the variable by which a user chooses another folder."""
    print(f"build cache (CUVEC_CACHE): {text}", file=sys.stderr, flush=True)


def key_of(*what: object) -> str:
    """Return a name for what JSON can say."""
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]


def sum_of(path: Path) -> str:
    """Return the SHA-256 of a file of any size."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_of(folder: Path) -> dict[str, list[Any]]:
    """Return size and SHA-256 of all files in a folder, by their names."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / LIST)
    with ThreadPoolExecutor() as pool:
        sums = pool.map(sum_of, found)
        pairs = zip(found, sums, strict=True)
        return {
            path.relative_to(folder).as_posix(): [path.stat().st_size, sum] for path, sum in pairs
        }


def seal(folder: Path) -> None:
    """List the files of a folder in it, by which it is an entry."""
    (folder / LIST).write_text(json.dumps(files_of(folder)), encoding="utf-8")


def is_whole(entry: Path, *, by_size: bool = False) -> bool:
    """Return whether an entry has every file that was put into it, as it was."""
    try:
        listed: dict[str, list[Any]] = json.loads((entry / LIST).read_text(encoding="utf-8"))
        if any((entry / name).stat().st_size != size for name, (size, _) in listed.items()):
            return False
        with ThreadPoolExecutor() as pool:
            sums = [] if by_size else pool.map(sum_of, (entry / name for name in listed))
            return all(sum == listed[name][1] for name, sum in zip(listed, sums, strict=False))
    except (OSError, ValueError, TypeError, AttributeError):
        return False


def discard(entry: Path) -> None:
    """Remove an entry that is not as it was, so that it is made again."""
    say(f"{entry.name} is damaged, and is made again")
    shutil.rmtree(entry, ignore_errors=True)


def take(cache: Path, name: str, folder: Path) -> bool:
    """Copy an entry to a folder; return whether it was there and is whole."""
    entry = cache / name
    if not entry.is_dir():
        return False
    new = folder.with_name(f"{folder.name}.new")
    try:
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(entry, new)
        if is_whole(new):
            shutil.rmtree(folder, ignore_errors=True)
            new.rename(folder)
            use(entry)
            return True
        discard(entry)
    except OSError as error:
        say(f"{name} cannot be used: {error}")
    shutil.rmtree(new, ignore_errors=True)
    return False


def use(entry: Path) -> None:
    """Note by the time of its folder that an entry was used; those that were not for long are removed."""
    with contextlib.suppress(OSError):  # an entry of another user
        os.utime(entry)


def store(cache: Path, name: str, fill: Callable[[Path], object]) -> None:
    """Put an entry into the cache: whole, or, if another build was faster or the cache cannot be written, not at all."""
    new = cache / f"{name}.{secrets.token_hex(8)}"
    try:
        new.mkdir(parents=True)
        fill(new)
        seal(new)
        with ThreadPoolExecutor(64) as pool:  # a disk writes many files at once, and waits for each
            [*pool.map(synchronize, [*new.rglob("*"), new])]
        new.rename(cache / name)
        synchronize(cache)
    except OSError as error:
        if not (cache / name).exists():
            say(f"{name} is not stored: {error}")
    finally:
        shutil.rmtree(new, ignore_errors=True)


def synchronize(path: Path) -> None:
    """Have the disk write a file, or the names in a folder."""
    if path.is_file() or sys.platform != "win32":
        file = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def lock(file: IO[str]) -> None:
    """Lock a file until it is closed, or raise BlockingIOError where another process has it."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def turn(cache: Path, name: str) -> Iterator[None]:
    """Wait for another build that makes the same; where there are no locks both make it."""
    path = cache / f"{name}.lock"
    with contextlib.ExitStack() as stack:
        end = time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):
            file = stack.enter_context(path.open("w"))
            while time.monotonic() < end:
                try:
                    lock(file)
                    stack.callback(path.unlink, missing_ok=True)
                    break
                except BlockingIOError:
                    time.sleep(0.1)
        yield


def copy_of(
    source: Path, ignore: Callable[..., set[str]] | None = None
) -> Callable[[Path], object]:
    """Return what fills an entry with the files of a folder."""
    return lambda entry: shutil.copytree(source, entry, ignore=ignore, dirs_exist_ok=True)
