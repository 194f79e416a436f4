"""Kernels in Rust beside those in CUDA C++: what goes wrong in one, and what a large one costs. See `ci/kernels`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from resources import assemble, compile_cu, native
from suite import Count, run_programs

from package import Package

HERE = Path(__file__).parent
SOURCES = HERE.parent / "kernels"
SANITIZER = ["compute-sanitizer", "--error-exitcode=86", "--target-processes=application-only"]
LANGUAGES = {"cu": "CUDA C++", "rust": "Rust"}


class RustKernels:
    """`kernels` in the folder of a package: two wheels to which kernels were added, `release` and `checked`."""

    def __init__(self, rust: Package, cu: Package) -> None:
        self.folder = rust.folder / "kernels"
        self.python = rust.python
        ptx, cubin = self.folder / "gpupkg/kernels/kernels.ptx", self.folder / "heat.cubin"
        architecture = native()
        other = self.folder / "other.cubin"
        self.resources = {
            "cu": compile_cu(cu.folder / "gpupkg/kernels/kernels.cu", architecture, other)
            | compile_cu(SOURCES / "heat.cu", architecture, cubin),
            "rust": assemble(ptx, architecture, other),
        }
        self.heat = [self.python, HERE / "heat.py", ptx, cubin]
        self.stopped = [self.python, HERE / "stopped.py", ptx]
        self.count = self._runs()
        self.rows = [] if self.count.failed else self._rows()

    def _runs(self) -> Count:
        count = Count("kernels in Rust", 0, 0, 0)
        for kind in ("release", "checked"):
            site = self.folder / kind / "site"
            pip = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--upgrade", "--target", site]
            subprocess.run([self.python, *pip, *(self.folder / kind).glob("*.whl")], check=True)
            wrong = [self.python, SOURCES / "out_of_bounds.py", "gpupkg", kind]
            commands = [wrong, [*SANITIZER, "--tool=memcheck", *wrong]]
            if kind == "release":
                commands += [
                    self.stopped,
                    *([*SANITIZER, f"--tool={tool}", *self.heat] for tool in ("memcheck", "racecheck")),
                ]
            more = run_programs(count.what, commands, PYTHONPATH=str(site))
            count = count._replace(passed=count.passed + more.passed, failed=count.failed + more.failed)
        return count

    def _rows(self) -> list[list[str]]:
        """A table: time, registers and spills of each kernel, and how long a build takes, in both languages."""
        times = self.folder / "heat.json"
        subprocess.run([*self.heat, times], check=True)
        heat, builds = json.loads(times.read_text()), json.loads((self.folder / "builds.json").read_text())
        rows = [["", *LANGUAGES.values()]]
        gigabytes = 2 * 16384 * 8192 * 4 / 1e9
        took = (f"{heat[kind]:.3f} ms, {1000 * gigabytes / heat[kind]:.0f} GB/s" for kind in LANGUAGES)
        rows.append(["`heat_f32`, 16384 × 8192", *took])
        for name in ("axpy_f32", "axpy_f64", "dot_f32", "dot_f64", "heat_f32"):
            rows.append([f"`{name}`", *(str(self.resources[kind][name]) for kind in LANGUAGES)])
        for what in ("as scaffolded", "first edit", "next edit"):
            rows.append([f"build of the kernels, {what}", *(f"{builds[kind][what]:.1f} s" for kind in LANGUAGES)])
        return rows
