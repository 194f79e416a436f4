"""Where a package is built: in the folder of its last build, if nothing has changed but what Ninja and cargo notice.

They compare times. So the folder is made anew if anything else has changed: a compiler, a setting, the files that say how
to build; or a source that is another one now but not a later one, such as one that `mv` has put back.
"""

from __future__ import annotations

import contextlib
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

from .bound import here
from .cache import LIST, cache_folder, is_whole, key_of, lock, say, seal, use
from .machine import c_library, of_cpu
from .sources import RUNTIME, copy, files, state, sums

Settings = dict[str, list[str] | str] | None

# Variables that compilers, CMake, cargo and the build of the package heed.
VARIABLES = re.compile(
    r"(CMAKE|CUDA|CUVEC|CARGO|RUST|KERNELS|SKBUILD|NVCC|PYO3|MACOSX|CC|CXX|LD|AR$|SDKROOT|CPATH|LIBRARY_PATH"
    r"|SOURCE_DATE_EPOCH|\w*FLAGS$|\w*INCLUDE_PATH$)"
)
COMPILERS = ("cc", "gcc", "clang", "c++", "g++", "clang++", "cl", "ld", "nvcc", "rustc")
TOOLKITS = ("CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT")
SAYS_HOW = re.compile(r"(.*/)?CMakeLists\.txt$|.*\.(cmake|toml|lock)$")


def with_cache(config_settings: Settings) -> dict[str, Any]:
    """Add to the settings where CMake finds the cache; 0 is none."""
    cache = cache_folder()
    place = cache.as_posix() if cache else "0"
    return {**(config_settings or {}), "cmake.define.CUVEC_CACHE": place}


@contextlib.contextmanager
def build_folder(config_settings: Settings, tools: list[str]) -> Iterator[Settings]:
    """Give the settings with which scikit-build-core builds in the folder; it works in the current one."""
    given = with_cache(config_settings)
    cache = cache_folder()
    with contextlib.ExitStack() as stack:
        folder = None
        try:
            folder = cache and open_folder(cache, given, tools, stack)
        except OSError as error:
            say(f"the last build cannot be used: {error}")
        yield {**given, "build-dir": str(folder)} if folder else given


def open_folder(
    cache: Path, given: dict[str, Any], tools: list[str], stack: contextlib.ExitStack
) -> Path | None:
    """Return the folder to build in, or None where the package or another build wants none; the stack leaves it as it has to be."""
    source = Path.cwd()
    unpacked = (source / "PKG-INFO").exists()  # an sdist, in a place of its own each time
    copied = unpacked or not os.access(source, os.W_OK)
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    named = {"build-dir", "skbuild.build-dir"} & given.keys() or "SKBUILD_BUILD_DIR" in os.environ
    if named or "build-dir" in project["tool"]["scikit-build"]:
        return None
    name = project["project"]["name"]
    folder = cache / "builds" / f"{name}-{key_of(not unpacked and str(source))}"
    folder.mkdir(parents=True, exist_ok=True)
    if not is_mine(stack.enter_context((folder / "lock").open("w"))):  # another build is in it
        return None
    use(folder)
    if copied:
        source = copy(source, folder / "source")
    begin(folder, source, [str(source), *tools, *circumstances(), sorted(given.items())])
    stack.callback(end, folder)
    stack.enter_context(contextlib.chdir(source))
    return folder / "build"


def begin(folder: Path, source: Path, key: list[Any]) -> None:
    """Empty the folder if what was built in it must not be used, and note what is built now."""
    note, build = folder / "note.json", folder / "build"
    start = time.time()
    known = {name: state(source / name) for name in files(source)}
    how = key_of(key, sums(source, [name for name in known if SAYS_HOW.match(name)]))
    try:
        last = json.loads(note.read_text(encoding="utf-8"))
        changed = [name for name, value in known.items() if last["files"].get(name) != value]
        usable = last["how"] == how and all(
            (source / name).stat().st_mtime > last["time"] for name in changed
        )
    except (OSError, ValueError, KeyError):
        usable = False
    if usable and not is_whole(build):
        say(f"the last build of {source} is damaged or was not finished, and is made again")
        usable = False
    if not usable:
        note.unlink(missing_ok=True)
        shutil.rmtree(build, ignore_errors=True)
    for name in (LIST, ".skbuild-info.json"):  # the end lists them; the place of scikit-build-core
        (build / name).unlink(missing_ok=True)
    new = folder / "note.json.new"
    noted = {"source": str(source), "here": here(), "time": start, "how": how, "files": known}
    new.write_text(json.dumps(noted), encoding="utf-8")
    new.replace(note)


def end(folder: Path) -> None:
    """List what was built, also by a build that failed; what was killed is not listed, and not used."""
    try:
        if (folder / "build").is_dir():
            seal(folder / "build")
    except OSError as error:
        say(f"this build is not found again: {error}")


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
        sums(RUNTIME, files(RUNTIME)),
        sys.version,
        sys.base_prefix,
        platform.platform(),
        platform.node(),
        c_library(),
        of_cpu(),  # for flags that name this one, wherever they are
    ]


def is_mine(file: IO[str]) -> bool:
    """Return whether this process has the lock now. It loses it when it ends."""
    try:
        lock(file)
    except OSError:
        return False
    return os.fstat(file.fileno()).st_nlink > 0  # else another build has just removed the folder
