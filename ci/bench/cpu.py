#!/usr/bin/env python3
"""Compares the CPU path of installed packages with NumPy and with a loop in C, all in one run.

    ci/bench/cpu.py PACKAGE… [--threads N] [--largest MI_ELEMENTS] [--seconds S] [--json FILE]

For `axpy` and `dot`, float32 and float64, and arrays of 1, 4, 16, … elements: the median time of a call of every
package with arrays of its own and with NumPy's, of the fastest in-place expression that NumPy has for it, and of
stream.c with one thread and with all. Contestants take turns, some milliseconds each. Prints a table of ratios, in
which 1 is as fast as the other and more is faster. Needs a C compiler with OpenMP.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

BATCH = 2e-3  # seconds that a contestant has at a time, at least
FLAGS = ["-O3", "-DNDEBUG", "-ffp-contract=off", "-fopenmp", "-fPIC", "-shared"]
Run = Callable[[int], object]  # calls a function so many times


def main() -> None:
    options = arguments()
    os.environ["CUVEC_DEVICE"] = "cpu"
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    packages = {name: importlib.import_module(name) for name in options.packages}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(Path(folder))
        print(*head(options), *table_head(packages), sep="\n")
        for function, dtype, n in cases(options.largest):
            runs = contestants(function, np.dtype(dtype), n, packages, library, options.threads)
            row = {
                "function": function,
                "dtype": dtype,
                "elements": n,
                "seconds": measured(runs, options.seconds, min if options.least else median),
            }
            rows.append(row)
            print(table_row(row, packages), flush=True)
            del runs
            gc.collect()
    if options.json:
        options.json.write_text(json.dumps({"machine": head(options), "rows": rows}, indent=1) + "\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="+", metavar="PACKAGE", help="name of an installed module")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--largest", type=int, default=64, metavar="MI_ELEMENTS", help="largest array, in 2**20")
    parser.add_argument("--seconds", type=float, default=0.1, help="for each contestant at each size")
    parser.add_argument("--least", action="store_true", help="least times, not medians: for a machine that is in use")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def compiled(folder: Path) -> ctypes.CDLL:
    target = folder / "stream.so"
    subprocess.run([os.environ.get("CC", "cc"), *FLAGS, "-o", target, Path(__file__).with_name("stream.c")], check=True)
    return ctypes.CDLL(str(target))


def cases(largest: int) -> Iterator[tuple[str, str, int]]:
    for function in ("axpy", "dot"):
        for dtype in ("float32", "float64"):
            n = 1
            while n <= largest << 20:
                yield function, dtype, n
                n *= 4


def contestants(
    function: str, dtype: np.dtype[Any], n: int, packages: dict[str, Any], library: ctypes.CDLL, threads: int
) -> dict[str, Run]:
    """What is measured, by name; each has given the right result once."""
    data = np.random.default_rng(n).standard_normal((2, n)).astype(dtype)
    runs = {"NumPy": numpy_axpy(*data.copy()), "NumPy, two steps": numpy_axpy_in_steps(*data.copy())}
    if function == "dot":
        runs = {"NumPy": repeated(np.dot, *data), "NumPy, vdot": repeated(np.vdot, *data)}
    for count in sorted({1, threads}):
        runs[f"C, {count}"] = c_loop(library, function, count, *data.copy())
    for name, package in packages.items():
        own, plain = [package.cuvec.asarray(x) for x in data], [x.copy() for x in data]
        for kind, (x, y) in (("", own), (" staged", plain)):
            check(package, function, x, y)
            runs[name + kind] = repeated(getattr(package, function), *([0.5] if function == "axpy" else []), x, y)
    return runs


def check(package: Any, function: str, x: Any, y: Any) -> None:
    exact_x, exact_y = (np.array(array, np.float64) for array in (x, y))
    if function == "dot":
        assert abs(package.dot(x, y) - exact_x @ exact_y) <= 1e-12 * (abs(exact_x) @ abs(exact_y))
    else:
        package.axpy(0.5, x, y)
        np.testing.assert_allclose(y, exact_y + 0.5 * exact_x, rtol=4 * np.finfo(x.dtype).eps, atol=1e-6)


def repeated(function: Callable[..., object], *arguments: object) -> Run:
    if len(arguments) == 3:  # written out: *arguments in the loop would cost as much as a call

        def run(calls: int, a: object = arguments[0], x: object = arguments[1], y: object = arguments[2]) -> None:
            for _ in repeat(None, calls):
                function(a, x, y)
    else:

        def run(calls: int, x: object = arguments[0], y: object = arguments[1]) -> None:  # type: ignore[misc]
            for _ in repeat(None, calls):
                function(x, y)

    return run


def numpy_axpy(x: Any, y: Any) -> Run:
    def run(calls: int, y: Any = y) -> None:
        for _ in repeat(None, calls):
            y += 0.5 * x

    return run


def numpy_axpy_in_steps(x: Any, y: Any) -> Run:
    t, multiply, add = np.empty_like(x), np.multiply, np.add

    def run(calls: int) -> None:
        for _ in repeat(None, calls):
            multiply(x, 0.5, out=t)
            add(y, t, out=y)

    return run


def c_loop(library: ctypes.CDLL, function: str, threads: int, x: Any, y: Any) -> Run:
    native = getattr(library, f"{function}_{x.dtype}")
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, y)]
    factor = [ctypes.c_double(0.5)] if function == "axpy" else []

    def run(calls: int, _alive: object = (x, y)) -> None:
        native(*factor, *pointers, ctypes.c_size_t(x.size), ctypes.c_int(threads), ctypes.c_size_t(calls))

    return run


def measured(runs: dict[str, Run], seconds: float, statistic: Callable[[list[float]], float]) -> dict[str, float]:
    """The time of a call, of batches in turns."""
    calls = {name: calls_of_a_batch(run) for name, run in runs.items()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    end = perf_counter() + seconds * len(runs)
    while perf_counter() < end or len(times[next(iter(runs))]) < 5:
        for name, run in runs.items():
            run(1)  # what others left in caches, and threads of theirs that still spin
            times[name].append(timed(run, calls[name]))
    return {name: statistic(found) for name, found in times.items()}


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


def head(options: argparse.Namespace) -> list[str]:
    models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    model = models[0].partition(":")[2].strip() if models else platform.machine()
    return [f"{model}, {options.threads} threads, NumPy {np.__version__}, Python {platform.python_version()}", ""]


def best(row: dict[str, Any], start: str) -> float:
    return min(time for name, time in row["seconds"].items() if name.startswith(start))


def table_head(packages: dict[str, Any]) -> list[str]:
    columns = [f"{name}{kind} / {limit}" for name in packages for kind in ("", " staged") for limit in ("NumPy", "C")]
    return [
        "| function | dtype | elements | NumPy, µs | C, µs | " + " | ".join(columns) + " |",
        "|---|---|---:|---:|---:|" + "---:|" * len(columns),
    ]


def table_row(row: dict[str, Any], packages: dict[str, Any]) -> str:
    limits = [best(row, "NumPy"), best(row, "C, ")]
    names = [f"{name}{kind}" for name in packages for kind in ("", " staged")]
    ratios = [f"{limit / row['seconds'][name]:.2f}" for name in names for limit in limits]
    times = [f"{1e6 * limit:.3g}" for limit in limits]
    return "| " + " | ".join([row["function"], row["dtype"], f"{row['elements']:,}", *times, *ratios]) + " |"


if __name__ == "__main__":
    sys.exit(main())
