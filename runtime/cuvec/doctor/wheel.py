"""A wheel, looked at without installing it, and its tags, such as `cp311-abi3-manylinux_2_28_x86_64`."""

import os
import platform
import re
import sys
import sysconfig
import zipfile
from itertools import product
from pathlib import Path, PurePosixPath

from . import declared_code, libraries
from .images import built_with, described, images, of_functions
from .machine import Finding

MIB = 1 << 20
LIMIT = 100  # MiB of a file, where PyPI was not asked for more
UNPACKED = 2048 * MIB  # of the libraries in a wheel: the largest wheel's are not half of it
CUDA = re.compile(r"^Classifier: Environment :: GPU :: NVIDIA CUDA :: (\d+)", re.MULTILINE)


def look(path: Path, limit: int = LIMIT) -> list[Finding]:
    """Look at tags, size, code for the GPU, and libraries in it."""
    try:
        return [tags(path), size(path, limit), *look_inside(path)]
    # damaged archives raise exceptions of zipfile, zlib, lzma, struct and codecs
    except Exception as error:  # noqa: BLE001
        found = f"{path}: {str(error) or type(error).__name__}"
        return [Finding("wheel", "problem", found, "build it again: pip wheel --no-deps .")]


def look_inside(path: Path) -> list[Finding]:
    """Look at what was compiled."""
    modules = contents(path)
    files = [modules.pop(name) for name in [*modules] if not is_native(name)]
    metadata = b"".join(files).decode(errors="replace")
    bundled = [name for name in modules if PurePosixPath(name).parts[0].endswith(".libs")]
    return [
        code(modules, bundled, metadata),
        *(it for module in modules.values() for it in of_functions(module)),
        *(it for module in modules.values() for it in declared_code.look(module)),
        libraries.look(modules, bundled, metadata),
    ]


def contents(path: Path) -> dict[str, bytes]:
    """Return the libraries in a wheel, and its metadata, by their names."""
    if not path.is_file():  # a pipe would be waited for
        raise FileNotFoundError("there is no such file")
    found = {}
    left = UNPACKED
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if is_native(name) or name.endswith(".dist-info/METADATA"):
                with archive.open(name) as member:
                    found[name] = member.read(left + 1)
                left -= len(found[name])
                if left < 0:
                    raise ValueError(f"its libraries are larger than {UNPACKED // MIB} MiB")
    return found


def is_native(name: str) -> bool:
    """Return whether a file is a library, of whatever version."""
    return name.endswith((".pyd", ".dll", ".dylib")) or ".so" in PurePosixPath(name).suffixes


def tags(path: Path) -> Finding:
    """Judge what the file name says."""
    parts = path.stem.split("-")
    if len(parts) < 5:
        hint = "name it as the build did: NAME-VERSION-PYTHON-ABI-PLATFORM.whl"
        return Finding("tags", "problem", f"{path.name} has no tags", hint)
    tag = "-".join(parts[-3:])
    if parts[-1].startswith("linux_"):
        hint = f"for PyPI: auditwheel repair {path}"
        return Finding("tags", "warning", f"{tag}, which PyPI does not take", hint)
    every = product(parts[-3].split("."), parts[-2].split("."), parts[-1].split("."))
    expanded = ["-".join(it) for it in every]
    reasons = [misfit(it) for it in expanded]
    here = f"; not for this Python: {reasons[0]}" if all(reasons) else ""
    return Finding("tags", "ok", tag + here)


def size(path: Path, limit: int) -> Finding:
    """Judge the size against PyPI's limit."""
    held = path.stat().st_size
    found = f"{held / MIB:.1f} MiB, PyPI takes {limit}"
    if held > limit * MIB:
        hint = (
            "compile for fewer GPUs, such as CUDAARCHS='75;90'; if PyPI grants more: "
            "python build/cuvec_runtime/cuvec/doctor --limit MIB WHEEL"
        )
        return Finding("size", "problem", found, hint)
    return Finding("size", "ok", found)


def code(modules: dict[str, bytes], bundled: list[str], metadata: str) -> Finding:
    """Judge the code for the GPU, also by the versions of CUDA that the metadata name."""
    own = {name: module for name, module in modules.items() if name not in bundled}
    if not own:
        return Finding(
            "GPU code",
            "problem",
            "the wheel has no native module",
            "pip wheel --no-deps .",
        )
    found = sorted({image for module in own.values() for image in images(module)})
    if not found:
        hint = "it was built with CUDA=OFF: pip wheel --no-deps ."
        return Finding("GPU code", "warning", "none: it runs on the CPU alone", hint)
    version = max(built_with(module) for module in own.values() if images(module))
    text = f"{described(found)}, CUDA {'.'.join(map(str, version))}"
    named = min(map(int, CUDA.findall(metadata)), default=version[0])
    if version[0] > named:
        hint = f"set CUDA_HOME to a toolkit of CUDA {named}, or change the classifier in pyproject.toml"
        text = f"{text}, but the metadata say CUDA {named}"
        return Finding("GPU code", "problem", text, hint)
    if not any(image.is_ptx for image in found):
        hint = "for later GPUs add PTX, such as CUDAARCHS='90;90-virtual'"
        return Finding("GPU code", "warning", f"{text}, and no PTX", hint)
    return Finding("GPU code", "ok", text)


def misfit(tag: str) -> str:
    """Return why a wheel with this tag does not fit the Python that runs; nothing if it does."""
    python, abi, where = tag.split("-")
    return of_python(python, abi) or of_platform(where)


def of_python(python: str, abi: str) -> str:
    """Compare versions; abi3 goes with later ones, unless they are free-threaded, abi3t with all later ones."""
    running = f"{sys.version_info[0]}{sys.version_info[1]}"
    name = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    wanted = re.fullmatch(r"cp3(\d+)", python)
    if not wanted or abi == "none":
        return "" if python.startswith(("py3", "cp3")) else f"it is for {python}, this is {name}"
    if abi in ("abi3", "abi3t"):
        if threaded and abi == "abi3":
            return f"abi3 is not for free-threaded Python, and this is {name}t"
        fits = sys.version_info[1] >= int(wanted[1])
        return "" if fits else f"it is for Python 3.{wanted[1]} or later, this is {name}"
    here = f"cp{running}{'t' if threaded else ''}"
    return "" if abi == here else f"it is for {abi}, this is {here}"


def of_platform(where: str) -> str:
    """Compare operating system, processor and C library."""
    if where == "any":
        return ""
    here = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    system, machine = here.partition("_")[0], platform.machine().lower()
    name = where.replace("many", "").replace("musl", "")
    if not name.startswith(system):
        return f"it is for {where}, this is {here}"
    if os.name != "nt" and system == "linux" and not where.endswith(machine):
        return f"it is for {where}, this is {here}"
    glibc = re.match(r"manylinux_(\d+)_(\d+)_", where)
    library, version = platform.libc_ver()
    if glibc and library == "glibc":
        has = tuple(map(int, version.split(".")[:2]))
        wanted = int(glibc[1]), int(glibc[2])
        if has < wanted:
            return f"it is for glibc {wanted[0]}.{wanted[1]} or later, this is {version}"
    return ""
