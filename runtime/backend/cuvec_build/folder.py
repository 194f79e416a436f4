"""Where a package is built: in the folder of its last build, if nothing has changed but what Ninja and cargo notice.

They compare times. So the folder is made anew if anything else has changed: a compiler, a setting, the files that say how
to build; or a source that is another one now but not a later one, such as one that `mv` has put back.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from .cache import cache_folder, key_of

Settings = dict[str, list[str] | str] | None

# Variables that compilers, CMake, cargo and the build of the package heed.
VARIABLES = re.compile(
    r"(CMAKE|CUDA|CUVEC|CARGO|RUST|KERNELS|SKBUILD|NVCC|PYO3|MACOSX|CC|CXX|LD|AR$|SDKROOT|CPATH|LIBRARY_PATH"
    r"|SOURCE_DATE_EPOCH|\w*FLAGS$|\w*INCLUDE_PATH$)"
)
COMPILERS = ("cc", "gcc", "clang", "c++", "g++", "clang++", "cl", "ld", "nvcc", "rustc")
TOOLKITS = ("CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT")
SAYS_HOW = re.compile(r"runtime/|(.*/)?CMakeLists\.txt$|.*\.(cmake|toml|lock)$")


@contextlib.contextmanager
def build_folder(config_settings: Settings, tools: list[str]) -> Iterator[Settings]:
    """Give the settings with which scikit-build-core builds in the folder; it works in the current one."""
    given = {**(config_settings or {})}
    cache = cache_folder()
    source = Path.cwd()
    unpacked = (source / "PKG-INFO").exists()  # an sdist, in a place of its own each time
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    named = {"build-dir", "skbuild.build-dir"} & given.keys() or "SKBUILD_BUILD_DIR" in os.environ
    if cache is None or named or "build-dir" in project["tool"]["scikit-build"]:
        yield given
        return
    folder = (
        cache / "builds" / f"{project['project']['name']}-{key_of(not unpacked and str(source))}"
    )
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        if not is_mine(lock):  # another build is in it
            yield given
            return
        remove_builds_of_gone_packages(folder.parent)
        if unpacked:
            source = copy(source, folder / "source")
        begin(folder, source, [str(source), *tools, *circumstances(), sorted(given.items())])
        (folder / "build" / ".skbuild-info.json").unlink(
            missing_ok=True
        )  # names the place of scikit-build-core
        with contextlib.chdir(source):
            yield {**given, "build-dir": str(folder / "build")}


def begin(folder: Path, source: Path, key: list[Any]) -> None:
    """Empty the folder if what was built in it must not be used, and note what is built now."""
    note = folder / "note.json"
    start = time.time()
    sums = {
        name: hashlib.sha256((source / name).read_bytes()).hexdigest() for name in files(source)
    }
    how = key_of(key, {name: value for name, value in sums.items() if SAYS_HOW.match(name)})
    try:
        last = json.loads(note.read_text(encoding="utf-8"))
        changed = [name for name, value in sums.items() if last["sums"].get(name) != value]
        usable = last["how"] == how and all(
            (source / name).stat().st_mtime > last["time"] for name in changed
        )
    except (OSError, ValueError, KeyError):
        usable = False
    if not usable:
        note.unlink(missing_ok=True)
        shutil.rmtree(folder / "build", ignore_errors=True)
    new = folder / "note.json.new"
    new.write_text(
        json.dumps({"source": str(source), "time": start, "how": how, "sums": sums}),
        encoding="utf-8",
    )
    new.replace(note)


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
        )
        found += [
            Path(place, name).relative_to(source).as_posix()
            for name in names
            if not name.startswith(".")
        ]
    return sorted(name for name in found if (source / name).is_file())


def copy(source: Path, target: Path) -> Path:
    """Make the target the same as the source; files that are the same are left alone. Return the target."""
    target.mkdir(exist_ok=True)
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    for path in [path for path in target.rglob("*") if path.is_file()]:
        if path.relative_to(target) not in wanted:
            path.unlink()
    for name in wanted:
        content = (source / name).read_bytes()
        if not (target / name).is_file() or (target / name).read_bytes() != content:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(content)
        shutil.copymode(source / name, target / name)
    return target


def circumstances() -> list[Any]:
    """Return what a build depends on besides its files."""
    variables = {name: value for name, value in os.environ.items() if VARIABLES.match(name)}
    toolkits = [str(Path(os.environ[name], "bin")) for name in TOOLKITS if os.environ.get(name)]
    path = os.pathsep.join([*toolkits, os.environ.get("PATH", ""), "/usr/local/cuda/bin"])
    named = [
        word
        for name in ("CC", "CXX", "CUDACXX", "CUDAHOSTCXX", "KERNELS_RUSTC")
        for word in shlex.split(os.environ.get(name, ""))
    ]
    compilers = []
    for name in (*COMPILERS, *named):
        found = shutil.which(name, path=path)
        if found:
            real = Path(found).resolve()
            compilers.append([str(real), real.stat().st_size, real.stat().st_mtime_ns])
    return [
        variables,
        compilers,
        sys.version,
        sys.base_prefix,
        platform.platform(),
        platform.node(),
    ]


def is_mine(lock: IO[str]) -> bool:
    """Whether this process has the lock now. It loses it with its end."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def remove_builds_of_gone_packages(builds: Path) -> None:
    """Remove the folders of packages that are no longer where they were."""
    for note in builds.glob("*/note.json"):
        try:
            gone = not Path(json.loads(note.read_text(encoding="utf-8"))["source"]).exists()
        except (OSError, ValueError, KeyError):
            continue
        if gone:
            shutil.rmtree(note.parent, ignore_errors=True)
