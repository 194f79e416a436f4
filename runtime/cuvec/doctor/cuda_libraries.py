"""Libraries of CUDA's that functions call, and load when they do: see `runtime/cmake/CudaLibraries.cmake`."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from .machine import Finding, ask

# what a module says where it cannot load one
CALLED = re.compile(rb"(lib\w+\.so\.\d+) cannot be loaded\. To install it: (pip install '[^']+')")
LOAD = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"


def called_by(modules: Sequence[Path]) -> list[Finding]:
    """Judge each library that these modules call."""
    called = {
        match.groups(): file for file in modules for match in CALLED.finditer(file.read_bytes())
    }
    return [
        look(library.decode(), install.decode(), module)
        for (library, install), module in sorted(called.items())
    ]


def look(library: str, install: str, module: Path) -> Finding:
    """Load it in another process, from where the module would."""
    folders = [Path(module.resolve()).parents[level] for level in range(3)]
    of_pypi = [str(file) for folder in folders for file in folder.glob(f"nvidia/*/lib/{library}")]
    for path in (*of_pypi, library):
        if ask(sys.executable, "-I", "-c", LOAD, path)[0] == 0:
            return Finding(library, "ok", path if path in of_pypi else "found by the linker")
    return Finding(library, "warning", "not found: functions that call it raise an error", install)
