"""Answers to what CMake asks of Python. This is a program, and no module: it runs without scikit-build-core.

key RUNTIME TEXT CRATE…                         print the key of what is made of crates and those that they depend on, and their files
take CACHE NAME FOLDER                          copy an entry to the folder; fail if there is none
make CACHE NAME FOLDER CRATES PATH=NAME… -- COMMAND   make it by a command, and store it
installed PACKAGE ENDING…                       print the files of a package of PyPI whose paths end so
host NVCC [COMPILER]                            print the older compiler that nvcc is to call, if any, and whether it does not know glibc
rust                                            print cargo, rustc, its version, and the machine that it compiles for
flags RUSTC CRATE FROM=TO…                      print the flags for rustc, as cargo takes them
code LIBRARY                                    fail if a function in it lacks code for a GPU that the build is for
architectures BUILT CHANGED                     fail if CUDAARCHS says another thing than what the kernels are compiled for
crate KERNELS BUILD                             print the folder of the crate that the kernels in Rust are, which may be made in BUILD
locked CRATE                                    print --locked, if there is a Cargo.lock
check-cuda FILE…                                fail if files in CUDA C++ export nothing, or declare a thing twice
gpus BUILT NVCC VERSION FILE…                   print of each file what it declares, and, as that and CMake's list, what it is compiled for
sbom FOLDER NAME@VERSION SOURCE PART…           write the list of what is compiled into a wheel, and print its file
types SOURCE PREFIX                             link the Python files of an editable install into one folder
ptx KERNELS BUILD IMAGES [CRATE]                make the images of kernels in Rust; CUVEC_CACHE names the cache
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

# The package, without its `__init__`, which imports scikit-build-core.
package = ModuleType("cuvec_build")
package.__path__ = [str(Path(__file__).parent)]
sys.modules[package.__name__] = package

from cuvec_build import cuda, nvcc, rust, sbom
from cuvec_build.cache import copy_of, key_of, seal, store, sum_of, take, turn
from cuvec_build.crate import kernels_crate, locked
from cuvec_build.machine import decides
from cuvec_build.sources import RUNTIME, of_crates

# Crates of the runtime, which each package compiles where it is, stay out of what packages share.
OWN_CRATES = shutil.ignore_patterns("*cuvec*", "lib_core*")


def cache_of(named: str) -> Path | None:
    """Return the folder of the cache, if there is one."""
    return None if named in {"", "0"} else Path(named).absolute()


def print_list(*items: str) -> None:
    """Print a list of CMake's."""
    print(*items, sep=";", end="")


def print_key(runtime: str, text: str, *crates: str) -> None:
    """Print the key of all that decides what is made of crates, and the files that they are compiled from."""
    place = Path(runtime)
    sums = {it: sum_of(place / it) for it in of_crates(place, *crates)}
    print_list(key_of(decides(text, place), sums), *sums)


def take_entry(cache: str, name: str, folder: str) -> int:
    """Copy an entry to the folder; fail if there is none."""
    place = cache_of(cache)
    return 0 if place and take(place, name, Path(folder)) else 1


def make(named: str, name: str, place: str, of_crates_in: str, *rest: str) -> int:
    """Fill the folder by a command, or with what another build has made meanwhile; put it, and its crates, into the cache.

    The rest of the arguments are `PATH=NAME`, for what the command makes and its name in the folder; `--`; and the command.
    """
    cache, folder = cache_of(named), Path(place)
    crates = Path(of_crates_in) if of_crates_in else None
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


def check_code(library: str) -> int:
    """Fail if a function in the library lacks code for a GPU that the build is for."""
    sys.dont_write_bytecode = True
    sys.path.append(str(Path(__file__).parents[2] / "cuvec"))
    found = [*import_module("doctor.declared_code").look(Path(library).read_bytes())]
    for finding in found:
        print(f"error: {finding.found}", file=sys.stderr)
    if found:
        print(
            "Something takes code away: CUDA_ARCHITECTURES of a target in CMakeLists.txt, or flags in CUDAFLAGS or "
            "NVCC_APPEND_FLAGS. Which GPUs a build is for is said by CUDAARCHS: CUDAARCHS='80;90' pip wheel --no-deps .",
            file=sys.stderr,
        )
    return 1 if found else 0


def check_architectures(built: str, changed: str) -> int:
    """Fail if CUDAARCHS says now that the kernels are to be compiled for other architectures.

    CMake looks at it when it configures, which a build that is there already, as one on import, does not do.
    """
    wanted = os.environ.get("CUDAARCHS", "")
    if wanted in {"", built}:
        return 0
    Path(changed).touch()  # and so the next build configures
    print(
        f"error: CUDAARCHS is {wanted}, and this build compiles the kernels for {built}. "
        f"The next one compiles them for {wanted}: try again",
        file=sys.stderr,
    )
    return 1


def print_gpus(built: str, program: str, version: str, *files: str) -> None:
    """Print what each file declares, and what of this it is compiled for; without CUDA, `built` is `none`."""
    build = None
    if built != "none":
        build = nvcc.of_build(built.split(","), nvcc.of_nvcc(program), version)
    found = []
    for file in files:
        declared = cuda.declared_architectures(Path(file))
        chosen = nvcc.choose(declared, build) if build and declared else []
        promised = build.promised if build and not declared else nvcc.described(chosen)
        found += [declared, promised, ",".join(chosen)]
    print_list(*found)


def print_host(program: str, compiler: str = "", *_: str) -> None:
    """Print the compiler that nvcc is to call, if it would not find it, and whether nvcc does not know glibc."""
    older, hides = nvcc.host(program, compiler)
    print_list(older, "ON" if hides else "OFF")


def print_installed(package: str, *endings: str) -> None:
    """Print the files of a package of PyPI, in this Python, whose paths end in one of these, such as `bin/nvcc`."""
    from importlib.metadata import PackageNotFoundError, files

    with contextlib.suppress(PackageNotFoundError):
        listed = files(package) or ()
        found = (it.locate() for ending in endings for it in listed if it.match(ending))
        print_list(*(os.path.normpath(it).replace("\\", "/") for it in found))


def print_sbom(folder: str, package: str, source: str, *parts: str) -> None:
    """Write the list of what is compiled into a wheel, and print its file."""
    locks = [place / "Cargo.lock" for place in (RUNTIME, Path(source))]
    print_list(sbom.write(Path(folder), package, locks, list(parts)).as_posix())


def link_types(source: str, prefix: str) -> None:
    """Link the Python files of an editable install into one folder."""
    from cuvec_build import wheel

    wheel.link_types(Path(source), Path(prefix).parent)


def make_ptx(kernels: str, build: str, images: str, crate: str = "") -> None:
    """Make the images of kernels in Rust."""
    from cuvec_build.ptx import make_images

    folders = (Path(it).absolute() for it in (kernels, build, images))
    cache = cache_of(os.environ.get("CUVEC_CACHE", ""))
    make_images(*folders, Path(crate).absolute() if crate else None, cache)


VERBS: dict[str, Callable[..., int | None]] = {
    "key": print_key,
    "take": take_entry,
    "make": make,
    "code": check_code,
    "architectures": check_architectures,
    "installed": print_installed,
    "host": print_host,
    "rust": lambda: print_list(*(it.replace("\\", "/") for it in rust.find_rust())),
    "flags": lambda rustc, crate, *renamed: print_list(
        *rust.flags(rustc, Path(crate), list(renamed))
    ),
    "crate": lambda kernels, build: print_list(
        kernels_crate(Path(kernels), Path(build)).as_posix()
    ),
    "locked": lambda crate: print_list(*locked(Path(crate))),
    "check-cuda": lambda *files: cuda.check([Path(it) for it in files]),
    "gpus": print_gpus,
    "sbom": print_sbom,
    "types": link_types,
    "ptx": make_ptx,
}

if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")  # as CMake reads it
    sys.exit(VERBS[sys.argv[1]](*sys.argv[2:]))
