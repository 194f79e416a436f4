"""What the kernels need of a multiprocessor, as ptxas says."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple


class Resources(NamedTuple):
    registers: int
    spilled: int  # bytes

    def __str__(self) -> str:
        return f"{self.registers} registers, {f'{self.spilled} bytes' if self.spilled else 'nothing'} spilled"


def resources(shown: str) -> dict[str, Resources]:
    """Those of each kernel, from the output of `ptxas -v`."""
    kernels = re.split(r"Compiling entry function '(\w+)' for '\w+'", shown)
    found = {}
    for name, text in zip(kernels[1::2], kernels[2::2], strict=True):
        stores, loads = (int(re.search(rf"(\d+) bytes spill {kind}", text)[1]) for kind in ("stores", "loads"))
        found[name] = Resources(int(re.search(r"Used (\d+) registers", text)[1]), stores + loads)
    return found


def native() -> str:
    """The architecture of the GPU, such as "sm_90"."""
    query = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    capability = subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0]
    return f"sm_{capability.replace('.', '')}"


def compile_cu(source: Path, architecture: str, output: Path) -> dict[str, Resources]:
    return _run("nvcc", "-O3", "-cubin", f"-arch={architecture}", "-Xptxas=-v", source, "-o", output)


def assemble(source: Path, architecture: str, output: Path) -> dict[str, Resources]:
    nvcc = shutil.which("nvcc")
    assert nvcc, "no nvcc on PATH"
    return _run(Path(nvcc).resolve().with_name("ptxas"), "-v", f"-arch={architecture}", source, "-o", output)


def _run(*command: str | Path) -> dict[str, Resources]:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return resources(done.stdout + done.stderr)
