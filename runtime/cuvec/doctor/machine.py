"""The machine that is looked at, its memory and disk, and what a check finds on it; tests make other machines."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

Status = Literal["ok", "warning", "problem"]
PATIENCE = 30  # seconds for a program that is asked


class Machine(NamedTuple):
    """Where files of the system are, what the environment says, and what the driver is called."""

    root: Path = Path("/")
    environ: Mapping[str, str] = os.environ
    libcuda: str = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"

    def has(self, pattern: str) -> bool:
        """Return whether there is a file of this name below the root; `*` stands for anything."""
        return any(True for _ in self.root.glob(pattern))

    def text(self, path: str) -> str:
        """Return the text of a file below the root, of none if it cannot be read."""
        try:
            return (self.root / path).read_text(errors="replace")
        except OSError:
            return ""

    @property
    def is_wsl(self) -> bool:
        """True if Linux runs inside of Windows."""
        return "microsoft" in self.text("proc/version").lower()

    @property
    def is_container(self) -> bool:
        """True if this is a container of Docker, Podman or Kubernetes."""
        marks = (".dockerenv", "run/.containerenv", "var/run/secrets/kubernetes.io")
        return any(map(self.has, marks))


def ask(*command: str) -> tuple[int, str]:
    """Return the exit code of a program, and what it printed."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except OSError as error:
        return 127, str(error)
    except subprocess.TimeoutExpired:
        return 124, f"no answer in {PATIENCE} s"
    return done.returncode, done.stdout.strip()


class Finding(NamedTuple):
    """The outcome of one check; `hint` says what fixes it."""

    check: str
    status: Status
    found: str
    hint: str = ""

    def __str__(self) -> str:
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.status:7}  {self.check}: {shown(self.found)}{shown(hint)}"


def shown(text: str) -> str:
    """Escape what would end the line or move the cursor: somebody else chose the names in a wheel."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def in_json(findings: Sequence[Finding]) -> str:
    """Return them as a list of JSON."""
    return json.dumps([finding._asdict() for finding in findings], indent=2)


GIB = 1 << 30
LOW_MEMORY, LOW_DISK = 1 * GIB, 1 * GIB  # nvcc takes 0.3 GB of disk, and compilers of memory


def memory_and_disk(machine: Machine, folder: Path | None = None) -> list[Finding]:
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
