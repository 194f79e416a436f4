"""Answers to what CMake asks of Python. This is a program, and no module: it runs without scikit-build-core.

key FOLDER TEXT FILE…                           print the key of files in the folder, and of what else decides what is made of them
take CACHE NAME FOLDER                          copy an entry to the folder; fail if there is none
make CACHE NAME FOLDER CRATES PATH=NAME… -- COMMAND   make it by a command, and store it
flags FOLDER                                    print the flags that cargo's settings have for crates in the folder
code LIBRARY                                    fail if a function in it lacks code for a GPU that the build is for
architectures BUILT CHANGED                     fail if CUDAARCHS says another thing than what the kernels are compiled for
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # PYTHONSAFEPATH leaves it out

from cache import copy_of, key_of, seal, store, sum_of, take, turn
from machine import decides, flags_of_cargo

# Crates of the runtime, which each package compiles where it is, stay out of what packages share.
OWN_CRATES = shutil.ignore_patterns("*cuvec*", "lib_core*")


def make(cache: Path | None, name: str, folder: Path, crates: Path | None, rest: list[str]) -> int:
    """Fill the folder by a command, or with what another build has made meanwhile; put it, and its crates, into the cache.

    The rest of the arguments are `PATH=NAME`, for what the command makes and its name in the folder; `--`; and the command.
    """
    end = rest.index("--")
    of_crates = name.replace("core-", "crates-")
    with turn(cache, name) if cache else contextlib.nullcontext():
        if cache and take(cache, name, folder):
            if crates and not crates.exists():
                take(cache, of_crates, crates)
            return 0
        status = subprocess.run(rest[end + 1 :], check=False).returncode if rest[end + 1 :] else 0
        if status:
            return status
        folder.mkdir(parents=True, exist_ok=True)
        for pair in rest[:end]:
            path, _, target = pair.rpartition("=")
            shutil.copy2(path, folder / f"{target}.new")
            (folder / f"{target}.new").replace(folder / target)
        seal(folder)
        if cache:
            store(cache, name, copy_of(folder))
            if crates:
                store(cache, of_crates, copy_of(crates, OWN_CRATES))
    return 0


def check_code(library: Path) -> int:
    """Fail if a function in the library lacks code for a GPU that the build is for."""
    sys.dont_write_bytecode = True
    sys.path.append(str(Path(__file__).parents[2] / "cuvec"))
    found = [*import_module("doctor.declared_code").look(library.read_bytes())]
    for finding in found:
        print(f"error: {finding.found}", file=sys.stderr)
    if found:
        print(
            "Something takes code away: CUDA_ARCHITECTURES of a target in CMakeLists.txt, or flags in CUDAFLAGS or "
            "NVCC_APPEND_FLAGS. Which GPUs a build is for is said by CUDAARCHS: CUDAARCHS='80;90' pip wheel --no-deps .",
            file=sys.stderr,
        )
    return 1 if found else 0


def check_architectures(built: str, changed: Path) -> int:
    """Fail if CUDAARCHS says now that the kernels are to be compiled for other architectures.

    CMake looks at it when it configures, which a build that is there already, as one on import, does not do.
    """
    wanted = os.environ.get("CUDAARCHS", "")
    if wanted in {"", built}:
        return 0
    changed.touch()  # and so the next build configures
    print(
        f"error: CUDAARCHS is {wanted}, and this build compiles the kernels for {built}. "
        f"The next one compiles them for {wanted}: try again",
        file=sys.stderr,
    )
    return 1


def main(verb: str, place: str, name: str = "", folder: str = "", *rest: str) -> int:
    """Do what CMake asks for; `place` is the cache, or the folder of the files of a key."""
    if verb == "key":
        names = [folder, *rest]
        print(
            key_of(decides(name, Path(place)), {it: sum_of(Path(place, it)) for it in names}),
            end="",
        )
        return 0
    if verb == "code":
        return check_code(Path(place))
    if verb == "architectures":
        return check_architectures(place, Path(name))
    if verb == "flags":
        print(*flags_of_cargo(Path(place)), sep="\x1f", end="")
        return 0
    cache = None if place in {"", "0"} else Path(place)
    if verb == "take":
        return 0 if cache and take(cache, name, Path(folder)) else 1
    return make(cache, name, Path(folder), Path(rest[0]) if rest[0] else None, list(rest[1:]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
