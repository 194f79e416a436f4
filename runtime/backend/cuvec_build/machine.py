"""Inputs of a compiler besides its sources: flags, settings of cargo, the C library, the CPU."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

NATIVE = re.compile(r"(march|mcpu|mtune|target-cpu)=native\b")
FLAGS = re.compile(r"(CFLAGS|CXXFLAGS|LDFLAGS|MACOSX_DEPLOYMENT_TARGET|CARGO_PROFILE_\w+)$")


def decides(text: str, folder: Path) -> list[Any]:
    """Return all of it for flags and a crate in a folder: of the CPU only where flags are for this one."""
    variables = {name: value for name, value in os.environ.items() if FLAGS.match(name)}
    found = [text, variables, settings_of_cargo(folder)]
    return [*found, c_library(), of_cpu() if NATIVE.search(json.dumps(found)) else []]


def settings_of_cargo(folder: Path) -> list[Any]:
    """Return what decides what cargo makes of a crate in the folder, of the files `.cargo/config.toml` that it reads."""
    folders = [place / ".cargo" for place in (folder, *folder.parents)]
    folders.append(Path(os.environ.get("CARGO_HOME") or "~/.cargo").expanduser())
    found = []
    for place in dict.fromkeys(folders):
        path = next((it for it in (place / "config", place / "config.toml") if it.is_file()), None)
        if path:
            said = tomllib.loads(path.read_text(encoding="utf-8"))
            flags = said.get("build", {}).get("rustflags")
            found.append([flags, *(said.get(table) for table in ("target", "profile", "env"))])
    return [it for it in found if any(it)]


def flags_of_cargo(folder: Path) -> list[str]:
    """Return `build.rustflags` for a crate in the folder, which cargo does not heed where there are flags for a target."""
    settings = settings_of_cargo(folder)
    targets = [table for _, named, *_ in settings for table in (named or {}).values()]
    if any(table.get("rustflags") for table in targets):
        return []
    found: list[str] = []
    for flags, *_ in settings:  # the nearest file first
        if isinstance(flags, str):
            return [*flags.split(), *found]
        found = [*(flags or []), *found]
    return found


def of_cpu() -> list[str]:
    """Return what tells one kind of CPU from another."""
    names = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return [platform.machine(), platform.processor()]
    return sorted({line for line in lines if line.startswith(names)})


def c_library() -> str:
    """Return what `ldd` says of the C library; musl's says it on stderr."""
    try:
        asked = subprocess.run(("ldd", "--version"), capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return asked.stdout or asked.stderr
