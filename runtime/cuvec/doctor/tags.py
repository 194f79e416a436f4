"""The tags of a wheel, such as `cp311-abi3-manylinux_2_28_x86_64`, against the Python that runs."""

import os
import platform
import re
import sys
import sysconfig


def misfit(tag: str) -> str:
    """Return why a wheel with this tag does not fit; nothing if it does."""
    python, abi, where = tag.split("-")
    return of_python(python, abi) or of_platform(where)


def of_python(python: str, abi: str) -> str:
    """Compare versions; abi3 goes with later ones, unless they are free-threaded."""
    running = f"{sys.version_info[0]}{sys.version_info[1]}"
    name = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    wanted = re.fullmatch(r"cp3(\d+)", python)
    if not wanted or abi == "none":
        return "" if python.startswith(("py3", "cp3")) else f"it is for {python}, this is {name}"
    if abi == "abi3":
        if threaded:
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
