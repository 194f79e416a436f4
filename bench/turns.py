"""The host and the GPU take turns: three patterns over size, for each kind of memory that a subject has.

Timed is what comes after the host's writing: the calls, and the host's reading of a value of every page. What it writes is
something else each time: nobody can see that the host has written what was there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import cycle

import numpy as np

from clock import Times, of
from subjects.subject import Subject

KIB = 1024
MIB = KIB * KIB
SIZES = [4 * KIB << 2 * n for n in range(9)]
OF_GOALS = [4 * KIB, MIB, 64 * MIB]
CALLS = 30  # consecutive
PAGE = 4096 // 4
VALUES = cycle(range(1, 100))


def repeats_for_turns(size: int) -> int:
    """How many pairs of new arrays; one pair takes turns twice as often."""
    return 50 if size <= MIB else 10 if size < 64 * MIB else 3


def turn(subject: Subject, x: np.ndarray, y: np.ndarray, calls: int) -> float:
    """The seconds of some calls and of reading their result, after both arrays have been written."""
    pages = np.asarray(y).reshape(-1)[::PAGE]
    x.fill(next(VALUES))
    y.fill(next(VALUES))
    start = time.perf_counter()
    for _ in range(calls):
        subject.trip(x, y)
    seen = pages.copy()
    seconds = time.perf_counter() - start
    assert seen.all()
    return seconds


def turns(subject: Subject, again: bool) -> Iterator[tuple[str, int, Times]]:
    """Pattern and memory, bytes of an array, seconds of one call and its part of the rest.

    `again` leaves out the third pattern, and the sizes for which there is no goal.
    """
    for memory in subject.memories:
        for size in OF_GOALS if again else SIZES:
            n, repeats = size // 4, repeats_for_turns(size)
            once = []
            for _ in range(repeats):
                once.append(turn(subject, subject.empty(memory, n), subject.empty(memory, n), 1))
            x, y = subject.empty(memory, n), subject.empty(memory, n)
            alternating = [turn(subject, x, y, 1) for _ in range(2 * repeats)]
            yield f"once, {memory}", size, of(once)
            yield f"alternating, {memory}", size, of(alternating)
            if not again and memory != "NumPy":  # which is copied by each call
                row = [turn(subject, x, y, CALLS) / CALLS for _ in range(repeats)]
                yield f"consecutive, {memory}", size, of(row)
            del x, y
