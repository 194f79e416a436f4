"""The list of what was compiled into a wheel: crates of Cargo.lock, NVIDIA's libraries, the binding tool (CycloneDX, as PEP 770 has it)."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any


def write(folder: Path, package: str, locks: list[Path], parts: list[str]) -> Path:
    """Write the list of a package, `name@version`, and return its file; more parts are `type/name@version`, as in package URLs."""
    name, _, version = package.partition("@")
    name = re.sub("[-_.]+", "-", name.lower())
    found = {
        it["purl"]: it for it in [*(it for lock in locks for it in crates(lock)), *map(part, parts)]
    }
    about = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": part(f"pypi/{name}@{version}")},
        "components": [*found.values()],
    }
    file = folder / f"{name}.cdx.json"
    file.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    return file


def crates(lock: Path) -> list[dict[str, Any]]:
    """Return the parts that a Cargo.lock names; crates of the package itself have no checksum."""
    if not lock.exists():
        return []
    listed = tomllib.loads(lock.read_text(encoding="utf-8")).get("package", [])
    return [
        part(f"cargo/{it['name']}@{it['version']}")
        | {"hashes": [{"alg": "SHA-256", "content": it["checksum"]}]}
        for it in listed
        if "checksum" in it
    ]


def part(named: str) -> dict[str, Any]:
    """Return a part, `type/name@version`."""
    purl = f"pkg:{named.replace('+', '%2B')}"
    name, _, version = named.partition("/")[2].partition("@")
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
