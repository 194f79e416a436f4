"""Memory and disk: how much there is for this process."""

import shutil
import tempfile
from pathlib import Path, PurePosixPath

from .machine import Finding, Machine

GIB = 1 << 30
LOW_MEMORY, LOW_DISK = 1 * GIB, 1 * GIB  # nvcc takes 0.3 GB of disk, and compilers of memory


def look(machine: Machine, folder: Path | None = None) -> list[Finding]:
    """Look at the memory, and at the disk of a folder, or of temporary files."""
    folder = Path(tempfile.gettempdir()) if folder is None else folder
    return [*memory(machine), disk(folder)]


def memory(machine: Machine) -> list[Finding]:
    """Judge the memory that is available, and what the container allows."""
    lines = (line.split() for line in machine.text("proc/meminfo").splitlines())
    sizes = {words[0]: int(words[1]) << 10 for words in lines if len(words) == 3}  # in KiB
    if "MemAvailable:" not in sizes:
        return []
    free, limit = sizes["MemAvailable:"], limit_of_container(machine)
    found = f"{free / GIB:.1f} GiB available"
    if limit is not None and limit < sizes["MemTotal:"]:
        found += f", the container may use {limit / GIB:.1f} GiB"
        free = min(free, limit)
    if free < LOW_MEMORY:
        return [
            Finding(
                "memory", "warning", found, "compilers may be killed: CMAKE_BUILD_PARALLEL_LEVEL=1"
            )
        ]
    return [Finding("memory", "ok", found)]


def limit_of_container(machine: Machine) -> int | None:
    """Return the smallest limit of this process's control groups and of those that they are in."""
    found = []
    for line in machine.text("proc/self/cgroup").splitlines():
        _, controllers, group = line.split(":", maxsplit=2)
        root, file = "sys/fs/cgroup", "memory.max"
        if controllers:
            root, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
            if "memory" not in controllers.split(","):
                continue
        path = PurePosixPath(group)
        for parent in (path, *path.parents):
            limit = machine.text(f"{root}{parent}/{file}").strip()
            found += [int(limit)] if limit.isdigit() else []
    return min(found, default=None)


def disk(folder: Path) -> Finding:
    """Judge the disk of a folder."""
    free = shutil.disk_usage(folder).free
    found = f"{free / GIB:.1f} GiB free in {folder}"
    if free < LOW_DISK:
        return Finding(
            "disk", "warning", found, "free some, or let TMPDIR name a folder of another disk"
        )
    return Finding("disk", "ok", found)
