"""Figures of the generated package `gpupkg` on this GPU, as ratios to plain CUDA C++.

    figures.py LIMITS.json FIGURES.json

Arrays that must be resident come from CuPy's plain allocations; managed memory stays under 256 MiB.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import clock
import cupy as cp
import numpy as np
from gpupkg import axpy, cuvec, dot

LARGE = 256 << 20
MIDDLE = 16 << 20
SMALL = 1024


class Figure(NamedTuple):
    work: str
    measured: str
    limit: str
    ratio: str
    goal: str


def seconds_on_gpu(work: Callable[[], object], stream: cp.cuda.Stream, repeats: int) -> float:
    """Seconds of one asynchronous `work()` between two events on `stream`."""
    times = []
    for _ in range(10):
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record(stream)
        for _ in range(repeats):
            work()
        end.record(stream)
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(start, end) / 1e3 / repeats)
    return statistics.median(times)


def bandwidth(limit: dict[str, float]) -> list[Figure]:
    """axpy and dot of 256 Mi float32, GPU-resident."""
    rng = cp.random.default_rng(1)
    x, y = (rng.random(LARGE, dtype=cp.float32) for _ in range(2))
    stream = cp.cuda.Stream(non_blocking=True)
    cp.cuda.Device().synchronize()
    expected = float(cp.dot(x[: 1 << 20].astype("f8"), y[: 1 << 20].astype("f8")))
    assert abs(dot(x[: 1 << 20], y[: 1 << 20]) - expected) <= 1e-12 * expected
    axpy_gbs = 3 * 4 * LARGE / seconds_on_gpu(lambda: axpy(1e-9, x, y, stream=stream), stream, 10) / 1e9
    dot_gbs = 2 * 4 * LARGE / clock.times(lambda: dot(x, y), 10, 10).median / 1e9
    copy = limit["copy_gbs"]
    return [
        Figure("axpy float32, 256 Mi", f"{axpy_gbs:.0f} GB/s", f"device copy {copy:.0f} GB/s",
               f"{axpy_gbs / copy:.2f}", "≥ 1.00"),
        Figure("dot float32, 256 Mi, call and wait", f"{dot_gbs:.0f} GB/s", f"device copy {copy:.0f} GB/s",
               f"{dot_gbs / copy:.2f}", "≥ 0.95"),
    ]  # fmt: skip


def calls(limit: dict[str, float]) -> list[Figure]:
    """What a small call costs, and an allocation."""
    x, y = cuvec.ones(SMALL), cuvec.ones(SMALL)
    stream = cp.cuda.Stream(non_blocking=True)
    handle = stream.ptr
    issue = 1e6 * clock.times(lambda: axpy(0.0, x, y, stream=handle), 50, 400, stream.synchronize).median
    x.prefetch("device")
    y.prefetch("device")
    cuvec.dev_sync()
    wait = 1e6 * clock.times(lambda: axpy(0.0, x, y), 50, 100).median
    zeros = 1e6 * clock.times(lambda: cuvec.zeros((64, 64)), 50, 1000).median
    return [
        Figure("small call, asynchronous", f"{issue:.2f} µs", f"launch {limit['issue_us']:.2f} µs",
               f"{issue / limit['issue_us']:.2f}", "≤ 1.50"),
        Figure("small call that waits", f"{wait:.2f} µs", f"launch and wait {limit['wait_small_us']:.2f} µs",
               f"{wait / limit['wait_small_us']:.2f}", "≤ 1.25"),
        Figure("`zeros((64, 64))`", f"{zeros:.2f} µs", "–", "–", "≤ 3 µs"),
    ]  # fmt: skip


def round_trip() -> Figure:
    """The host has written two managed arrays; axpy; the host reads a value of every page.

    `ci/gpu bench` has other sizes, beside their limits.
    """
    x, y = cuvec.empty(MIDDLE), cuvec.empty(MIDDLE)
    times = []
    for number in range(30):
        x.fill(number)
        y.fill(1)
        start = time.perf_counter()
        axpy(2, x, y)
        total = float(y[:: 4096 // 4].sum(dtype="f8"))
        times.append(time.perf_counter() - start)
        assert total == len(y[:: 4096 // 4]) * (2 * number + 1)
    return Figure("host writes 2 × 64 MiB managed, axpy, host reads; no hint",
                  f"{1e3 * statistics.median(times):.3f} ms", "–", "–", "≤ 3.2 ms")  # fmt: skip


def staged() -> Figure:
    """NumPy arrays: copied to the GPU and back by the call."""
    x, y = np.ones(MIDDLE, "f4"), np.ones(MIDDLE, "f4")
    time_ = clock.times(lambda: axpy(2, x, y), 10, 2).median
    return Figure("NumPy arrays in and out, 64 MiB", f"{1e3 * time_:.2f} ms", "–", "–", "≤ 6 ms")


def in_a_row(limit: dict[str, float], hint: bool, goal: str) -> Figure:
    """1,000 calls on the same managed 64 MiB arrays, the first ones included."""
    x, y = cuvec.ones(MIDDLE), cuvec.ones(MIDDLE)
    if hint:
        x.prefetch("device")
        y.prefetch("device")
        cuvec.dev_sync()
    start = time.perf_counter()
    for _ in range(1000):
        axpy(0, x, y)
    time_ = 1e6 * (time.perf_counter() - start) / 1000
    how = 'after `prefetch("device")`' if hint else "no hint"
    return Figure(f"1,000 calls in a row on managed 64 MiB, {how}", f"{time_:.1f} µs each",
                  f"launch and wait {limit['wait_64mib_us']:.1f} µs", f"{time_ / limit['wait_64mib_us']:.2f}", goal)  # fmt: skip


def measure(limit: dict[str, float]) -> list[Figure]:
    return [
        *bandwidth(limit),
        *calls(limit),
        round_trip(),
        in_a_row(limit, hint=True, goal="≤ 1.20"),
        in_a_row(limit, hint=False, goal="≤ 2.00"),
        staged(),
    ]


if __name__ == "__main__":
    limits, output = map(Path, sys.argv[1:])
    output.write_text(json.dumps([figure._asdict() for figure in measure(json.loads(limits.read_text()))]))
