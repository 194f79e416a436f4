"""The kernel heat_f32, a stencil with a tile in shared memory, in CUDA C++ and in Rust: same numbers, and the times.

heat.py KERNELS.ptx HEAT.cubin [TIMES.json]: without the last, small matrices for the sanitizers to watch.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path

import cupy as cp
import numpy as np

THREADS = 256
RATE = np.float32(0.2)
SHAPES = [(1, 1), (1, 70), (31, 33), (32, 32), (65, 3), (257, 130)]
LARGE = (16384, 8192)


def launch(kernel: cp.RawKernel, x: cp.ndarray, y: cp.ndarray) -> None:
    rows, columns = x.shape
    blocks = -(-rows // 32) * -(-columns // 32)
    kernel((min(blocks, 1 << 20),), (THREADS,), (RATE, x, y, np.uint64(rows), np.uint64(columns)))


def expected(x: np.ndarray) -> np.ndarray:
    """The same in double precision; beyond an edge is what is at the edge."""
    padded = np.pad(x.astype("f8"), 1, mode="edge")
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return x + RATE * (around - 4 * x.astype("f8"))


def check(kernel: cp.RawKernel) -> None:
    random = np.random.default_rng(3)
    for shape in SHAPES:
        x = random.random(shape, dtype="f4")
        y = cp.full(shape, cp.nan, dtype="f4")
        launch(kernel, cp.asarray(x), y)
        np.testing.assert_allclose(y.get(), expected(x), rtol=0, atol=4e-7)


def milliseconds(kernel: cp.RawKernel) -> float:
    """Of one launch, the median of ten batches of twenty."""
    x = cp.random.default_rng(4).random(LARGE, dtype=cp.float32)
    y = cp.empty_like(x)
    launch(kernel, x, y)
    times = []
    for _ in range(10):
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        for _ in range(20):
            launch(kernel, x, y)
        end.record()
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(start, end) / 20)
    return statistics.median(times)


def main(rust: Path, cu: Path, output: Path | None = None) -> None:
    kernels = {"cu": cu, "rust": rust}
    kernels = {kind: cp.RawModule(path=str(path)).get_function("heat_f32") for kind, path in kernels.items()}
    for kernel in kernels.values():
        check(kernel)
    if output:
        output.write_text(json.dumps({kind: milliseconds(kernel) for kind, kernel in kernels.items()}))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
