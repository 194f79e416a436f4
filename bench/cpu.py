#!/usr/bin/env python3
"""Compares the CPU path of installed packages with NumPy and with a loop in C, all in one run.

    bench/cpu.py PACKAGE… [--threads N] [--largest MI_ELEMENTS] [--seconds S] [--json FILE]

For `axpy`, `dot` and `gemv`, float32 and float64, and arrays, or square matrices, of 1, 4, 16, … elements: the median and
the least time of a call of every contestant (cpu_contestants.py). They take turns, some milliseconds each. Prints tables
of ratios. Needs a C compiler with OpenMP. `bench/cpu` builds packages first.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import numpy as np

from cpu_contestants import Run, compiled, contestants
from machine import commit, installed, today
from sections.cpu import section

BATCH = 2e-3  # seconds that a contestant has at a time, at least
PAUSE = 2e-3  # seconds before that, in which the threads of the one before fall asleep; see bench/cpu


def main() -> None:
    options = arguments()
    os.environ["CUVEC_DEVICE"] = "cpu"
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    packages = {name.removeprefix("in_"): importlib.import_module(name) for name in options.packages}
    results: dict[str, Any] = {"about": about(options), "packages": [*packages], "rows": []}
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(Path(folder))
        for function, dtype, n in cases(options.largest):
            runs = contestants(function, np.dtype(dtype), n, packages, library, options.threads)
            times = measured(runs, options.seconds)
            row: dict[str, Any] = {"function": function, "dtype": dtype, "elements": n}
            for name, statistic in (("median", median), ("least", min)):
                row[name] = {contestant: statistic(found) for contestant, found in times.items()}
            results["rows"].append(row)
            print(f"{function} {dtype} {n}", file=sys.stderr)
            del runs
            gc.collect()
        runs = contestants("axpy", np.dtype("float32"), 0, packages, library, options.threads)
        calls = {name: run for name, run in runs.items() if not name.startswith("C, ")}
        results["empty"] = {name: median(found) for name, found in measured(calls, options.seconds).items()}
    print(*section(results), sep="\n")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="+", metavar="PACKAGE", help="name of an installed module")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--largest", type=int, default=64, metavar="MI_ELEMENTS", help="largest array, in 2**20")
    parser.add_argument("--seconds", type=float, default=0.1, help="for each contestant at each size")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def about(options: argparse.Namespace) -> dict[str, str]:
    models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    compiler = subprocess.check_output([os.environ.get("CC", "cc"), "--version"], text=True)
    return {
        "CPU": models[0].partition(":")[2].strip() if models else platform.machine(),
        "threads": str(options.threads),
        "date": today(),
        "commit": commit(),
        "versions": f"{installed()}, {compiler.splitlines()[0]}",
        "load of the machine before it": f"{os.getloadavg()[0]:.1f}",
    }


def cases(largest: int) -> Iterator[tuple[str, str, int]]:
    for function in ("axpy", "dot", "gemv"):
        for dtype in ("float32", "float64"):
            n = 1
            while n <= largest << 20:
                yield function, dtype, n
                n *= 4


def measured(runs: dict[str, Run], seconds: float) -> dict[str, list[float]]:
    """The times of a call, each of a batch, in turns."""
    calls = {name: calls_of_a_batch(run) for name, run in runs.items()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    end = perf_counter() + seconds * len(runs)
    while perf_counter() < end or len(times[next(iter(runs))]) < 5:
        for name, run in runs.items():
            sleep(PAUSE)
            run(1)  # warms caches and wakes threads
            times[name].append(timed(run, calls[name]))
    return times


def calls_of_a_batch(run: Run) -> int:
    run(3)
    calls = 1
    while (elapsed := timed(run, calls)) * calls < BATCH / 4:
        calls *= 4
    return max(1, round(BATCH / elapsed))


def timed(run: Run, calls: int) -> float:
    start = perf_counter()
    run(calls)
    return (perf_counter() - start) / calls


if __name__ == "__main__":
    sys.exit(main())
