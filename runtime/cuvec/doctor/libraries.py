"""Shared libraries that a wheel's modules need, and where a machine that installs it has them. Also libraries of CUDA that functions
load when they call them: see `runtime/cmake/CudaLibraries.cmake`."""

import re
import struct
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import NamedTuple

from .machine import Finding, ask

# the message of a module that cannot load one
CALLED = re.compile(rb"(lib\w+\.so\.\d+) cannot be loaded\. To install it: (pip install '[^']+')")
LOAD = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"


def called_by(modules: Sequence[Path]) -> list[Finding]:
    """Judge each library that these modules call."""
    called = {
        match.groups(): file for file in modules for match in CALLED.finditer(file.read_bytes())
    }
    return [
        load(library.decode(), install.decode(), module)
        for (library, install), module in sorted(called.items())
    ]


def load(library: str, install: str, module: Path) -> Finding:
    """Load it in another process, from where the module would."""
    folders = [Path(module.resolve()).parents[level] for level in range(3)]
    of_pypi = [str(file) for folder in folders for file in folder.glob(f"nvidia/*/lib/{library}")]
    for path in (*of_pypi, library):
        if ask(sys.executable, "-I", "-c", LOAD, path)[0] == 0:
            return Finding(library, "ok", path if path in of_pypi else "found by the linker")
    return Finding(library, "warning", "not found: functions that call it raise an error", install)


# auditwheel adds a hash to the name of what it copies
DRIVER = re.compile(r"libcuda(-[0-9a-f]{8})?\.so|libnvidia-|nvcuda")
# libraries that auditwheel's policies expect of every Linux with glibc, and the dynamic linker
OF_LINUX = re.compile(
    r"(ld-linux.*|lib(c|m|dl|rt|pthread|util|resolv|nsl|anl|mvec|gcc_s|stdc\+\+|atomic|z|expat"
    r"|X11|Xext|Xrender|ICE|SM|GL|gobject-2\.0|gthread-2\.0|glib-2\.0))\.so\.\d+"
)

# ELF of 64 bits, in its order of bytes: where the table of segments is, and their number; a segment; an entry for the linker
ELF = b"\x7fELF\x02\x01"
HEADER = struct.Struct("<32xQ14xHH")
SEGMENT = struct.Struct("<I4xQQ8xQ")
ENTRY = struct.Struct("<QQ")
LOADED, FOR_THE_LINKER = 1, 2
NEEDED, STRINGS, RPATH, RUNPATH = 1, 5, 15, 29


class Segment(NamedTuple):
    """A part of a file, and where it is loaded."""

    kind: int
    offset: int
    address: int
    size: int


def needed(module: bytes) -> tuple[list[str], list[str]]:
    """Return the libraries that a module is linked with, and the folders that it names for them."""
    if not module.startswith(ELF):
        return [], []
    at, size, count = HEADER.unpack_from(module)
    segments = [Segment(*SEGMENT.unpack_from(module, at + i * size)) for i in range(count)]
    entries = [
        ENTRY.unpack_from(module, it.offset + i)
        for it in segments
        if it.kind == FOR_THE_LINKER
        for i in range(0, it.size, ENTRY.size)
    ]
    tables = (value for tag, value in entries if tag == STRINGS)
    strings = [
        address - it.address + it.offset
        for address in tables
        for it in segments
        if it.kind == LOADED and 0 <= address - it.address < it.size
    ]

    def texts(*tags: int) -> list[str]:
        starts = [table + value for table in strings for tag, value in entries if tag in tags]
        return [module[it : module.index(b"\0", it)].decode() for it in starts]

    return texts(NEEDED), ":".join(texts(RPATH, RUNPATH)).split(":")


def look(modules: Mapping[str, bytes], bundled: Collection[str], requires: str) -> Finding:
    """Judge the libraries that were copied into the wheel, and those that are not in it."""
    drivers = [name for name in bundled if DRIVER.match(PurePosixPath(name).name)]
    if drivers:
        hint = "auditwheel repair --exclude 'libcuda.so.*' WHEEL"
        found = f"the driver is in it, which every machine has of its own: {', '.join(drivers)}"
        return Finding("libraries", "problem", found, hint)
    missing = [it for name, module in modules.items() for it in absent(name, module, modules)]
    if missing:
        found = f"not in the wheel, and not in every Linux: {', '.join(dict.fromkeys(missing))}"
        return Finding("libraries", "problem", found, "auditwheel repair WHEEL")
    for name, module in modules.items():
        for library, install in CALLED.findall(module):
            if not required(install.decode(), requires):
                found = f"{name} calls {library.decode()}, which nothing installs"
                hint = f"add to `dependencies` in pyproject.toml what it is in: {install.decode()}"
                return Finding("libraries", "problem", found, hint)
    return Finding(
        "libraries", "ok", f"bundled: {', '.join(bundled)}" if bundled else "none bundled"
    )


def absent(name: str, module: bytes, modules: Collection[str]) -> Iterator[str]:
    """Name the libraries that a module needs and does not find."""
    libraries, folders = needed(module)
    origin = str(PurePosixPath(name).parent)
    places = [normpath(it.replace("$ORIGIN", origin)) for it in folders if it.startswith("$ORIGIN")]
    for library in libraries:
        in_wheel = any(str(PurePosixPath(place, library)) in modules for place in places)
        if not in_wheel and not OF_LINUX.fullmatch(library):
            yield library


def required(install: str, requires: str) -> bool:
    """Return whether the metadata require all that `pip install 'cuda-toolkit[cufft]==13.*'` would install."""
    extra = re.findall(r"\[(\w+)\]", install)
    return any(
        re.search(
            rf"^Requires-Dist: (cuda-toolkit ?\[[^]]*\b{it}\b|nvidia-{it}\b)",
            requires,
            re.MULTILINE,
        )
        for it in extra
    )
