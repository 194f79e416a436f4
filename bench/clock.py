"""How long something takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

Work = Callable[[], object]
Works = Callable[[int], object]  # so many calls


class Times(NamedTuple):
    """Seconds of one call: the median of several batches, and the quartiles."""

    median: float
    low: float
    high: float


def of(values: list[float]) -> Times:
    if len(values) == 1:
        return Times(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Times(median, low, high)


def times(work: Work, batches: int, repeats: int, after: Work | None = None, *, counted: bool = False) -> Times:
    """Times one `work()` in batches; `after` ends a batch, and is a part of it only if it is `counted`."""
    work()
    if after is not None:
        after()
    values = []
    for _ in range(batches):
        start = time.perf_counter()
        for _ in range(repeats):
            work()
        if after is not None and counted:
            after()
        values.append((time.perf_counter() - start) / repeats)
        if after is not None and not counted:
            after()
    return of(values)


def by_events(*works: Work, turns: int, calls: int = 1) -> list[list[float]]:
    """Seconds of each work on PyTorch's current stream, between two events around so many calls, sorted; the works take turns.

    A call that is not timed comes first: the GPU is busy with it while the host begins, whose caches the work before has filled.
    """
    import torch  # here: other packages are timed where it is not

    times: list[list[float]] = [[] for _ in works]
    for _ in range(turns):
        for work, seen in zip(works, times, strict=True):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            work()
            begin.record()
            for _ in range(calls):
                work()
            end.record()
            end.synchronize()
            seen.append(begin.elapsed_time(end) / calls / 1000)
    return [sorted(seen) for seen in times]


def batch(work: Work, wait: Work, repeats: int) -> float:
    """Seconds of one `work()`, after some that are not timed, of which the GPU has done all."""
    work()
    wait()
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    wait()
    return (time.perf_counter() - start) / repeats


def calls_of(work: Work) -> Works:
    def calls(count: int) -> None:
        for _ in range(count):
            work()

    return calls


def times_in_turns(works: list[Works], batches: int, repeats: int, after: Work) -> list[Times]:
    """Times of one call of each, a batch of one after a batch of the other: what else the machine does, it does to all of them.

    Before each batch come calls that are not timed: otherwise one pays for what the work before it has driven out of the
    processor's caches, which differs from work to work.
    """
    values: list[list[float]] = [[] for _ in works]
    for _ in range(batches):
        for calls, seconds in zip(works, values, strict=True):
            calls(repeats // 8)
            after()
            start = time.perf_counter()
            calls(repeats)
            seconds.append((time.perf_counter() - start) / repeats)
            after()
    return [of(seconds) for seconds in values]


def repeats_for(seconds: float, work: Work, after: Work | None = None) -> int:
    """How many calls of `work` take about so long, at least one."""
    work()
    if after is not None:
        after()
    start = time.perf_counter()
    for _ in range(3):
        work()
    if after is not None:
        after()
    return max(1, int(3 * seconds / (time.perf_counter() - start)))
