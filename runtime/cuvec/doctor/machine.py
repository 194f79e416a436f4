"""The machine that is looked at, and what a check finds on it; tests make other machines."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

Status = Literal["ok", "warning", "problem"]
PATIENCE = 30  # seconds for a program that is asked


class Machine(NamedTuple):
    """Where files of the system are, what the environment says, and what the driver is called."""

    root: Path = Path("/")
    environ: Mapping[str, str] = os.environ
    libcuda: str = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"

    def has(self, pattern: str) -> bool:
        """Whether there is a file of this name below the root; `*` stands for anything."""
        return any(True for _ in self.root.glob(pattern))

    def text(self, path: str) -> str:
        """Return the text of a file below the root, of none if it cannot be read."""
        try:
            return (self.root / path).read_text(errors="replace")
        except OSError:
            return ""

    @property
    def is_wsl(self) -> bool:
        """Whether Linux runs inside of Windows."""
        return "microsoft" in self.text("proc/version").lower()

    @property
    def is_container(self) -> bool:
        """Whether this is a container of Docker, Podman or Kubernetes."""
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
