"""Kernels in Rust beside those in CUDA C++: what goes wrong in one, and what a large one costs. See `ci/kernels`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from suite import Count, run_programs

HERE = Path(__file__).parent
SOURCES = HERE.parent / "kernels"
SANITIZER = ["compute-sanitizer", "--error-exitcode=86", "--target-processes=application-only"]
LANGUAGES = {"cu": "CUDA C++", "rust": "Rust"}


class RustKernels:
    """A folder with wheels to which kernels were added: `cu`, `rust`, and `checked`, which is Rust as well."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.folder = folder
        self.python = python
        for kind in (*LANGUAGES, "checked"):
            pip = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--upgrade"]
            subprocess.run([python, *pip, "--target", self._site(kind), *(folder / kind).glob("*.whl")], check=True)
        self.count = self._runs()
        self.rows = [] if self.count.failed else self._rows()

    def _site(self, kind: str) -> Path:
        return self.folder / kind / "site"

    def _runs(self) -> Count:
        wrong, heat = [self.python, SOURCES / "out_of_bounds.py", "gpupkg"], [self.python, HERE / "heat.py", "gpupkg"]
        memcheck, racecheck = ([*SANITIZER, f"--tool={tool}"] for tool in ("memcheck", "racecheck"))
        programs = {
            "rust": [wrong, [*memcheck, *wrong], [*memcheck, *heat], [*racecheck, *heat]],
            "cu": [[*memcheck, *heat], [*racecheck, *heat]],
            "checked": [[*wrong, "checked"], [*memcheck, *wrong, "checked"]],
        }
        what = "kernels added"
        counts = [run_programs(what, commands, PYTHONPATH=str(self._site(kind))) for kind, commands in programs.items()]
        return Count(what, sum(count.passed for count in counts), sum(count.failed for count in counts), 0)

    def _rows(self) -> list[list[str]]:
        """A table: time of the large kernel, and how long a build takes, in both languages."""
        heat = {}
        for kind in LANGUAGES:
            time = self.folder / kind / "heat.json"
            command = [self.python, HERE / "heat.py", "gpupkg", time]
            assert not run_programs("heat", [command], PYTHONPATH=str(self._site(kind))).failed
            heat[kind] = json.loads(time.read_text())
        builds = json.loads((self.folder / "builds.json").read_text())
        rows = [["", *LANGUAGES.values()]]
        gigabytes = 2 * 16384 * 8192 * 4 / 1e9
        took = (f"{heat[kind]:.3f} ms, {1000 * gigabytes / heat[kind]:.0f} GB/s" for kind in LANGUAGES)
        rows.append(["`heat`, 16384 × 8192", *took])
        for what in builds["cu"]:
            rows.append([what, *(f"{builds[kind][what]:.1f} s" for kind in LANGUAGES)])
        return rows
