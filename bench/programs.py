"""The programs in CUDA C++, compiled here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


class Programs:
    def __init__(self, folder: Path) -> None:
        self.cuda = folder / "cuda"
        self.raw_ctypes = folder / "raw_ctypes.so"
        self.launches = folder / "launches.so"
        nvcc = ["nvcc", "-O3", "-std=c++17", "-arch=native"]
        subprocess.run([*nvcc, "-o", self.cuda, HERE / "cuda.cu"], check=True)
        shared = ["-shared", "-Xcompiler=-fPIC"]
        for library in (self.raw_ctypes, self.launches):
            subprocess.run([*nvcc, *shared, "-o", library, HERE / library.with_suffix(".cu").name], check=True)

    def libraries(self) -> dict[str, str]:
        """Where the subjects find them."""
        return {"BENCH_RAW_CTYPES": str(self.raw_ctypes), "BENCH_LAUNCHES": str(self.launches)}

    def limits(self, *again: str) -> list[list]:
        """The records of plain CUDA C++; with `again` as measure.py has it."""
        return json.loads(subprocess.check_output([self.cuda, *again]))
