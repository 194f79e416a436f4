"""The host and the GPU take turns: three patterns over size, for each kind of memory that a subject has.

Timed is what comes after the host's writing: the calls, and the host's reading of a value of every page.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from clock import Times, of
from subjects.subject import Subject

KIB = 1024
LARGEST = 256 << 20
STAGED = 64 << 20
CALLS = 30  # in a row
PAGE = 4096 // 4


def cycle(subject: Subject, x: np.ndarray, y: np.ndarray, calls: int) -> float:
    """The seconds of some calls and of reading their result, after both arrays have been written."""
    pages = np.asarray(y).reshape(-1)[::PAGE]
    x.fill(1)
    y.fill(2)
    start = time.perf_counter()
    for _ in range(calls):
        subject.trip(x, y)
    seen = pages.copy()
    seconds = time.perf_counter() - start
    assert seen.all()
    return seconds


def staged(subject: Subject) -> Iterator[tuple[str, int, Times]]:
    """The second pattern, with arrays of NumPy of one size: many times."""
    if "NumPy" in subject.memories:
        x, y = (subject.empty("NumPy", STAGED // 4) for _ in range(2))
        cycle(subject, x, y, 1)
        yield "alternating, NumPy", STAGED, of([cycle(subject, x, y, 1) for _ in range(20)])


def turns(subject: Subject) -> Iterator[tuple[str, int, Times]]:
    """Pattern and memory, bytes of an array, seconds of one call and its part of the rest."""
    for memory in subject.memories:
        size = 4 * KIB
        while size <= LARGEST:
            n, repeats = size // 4, 10 if size < LARGEST // 4 else 3
            once = []
            for _ in range(repeats):
                once.append(cycle(subject, subject.empty(memory, n), subject.empty(memory, n), 1))
            x, y = subject.empty(memory, n), subject.empty(memory, n)
            alternating = [cycle(subject, x, y, 1) for _ in range(2 * repeats)]
            yield f"once, {memory}", size, of(once)
            yield f"alternating, {memory}", size, of(alternating)
            if memory != "NumPy":  # which is copied by each call
                row = [cycle(subject, x, y, CALLS) / CALLS for _ in range(repeats)]
                yield f"in a row, {memory}", size, of(row)
            del x, y
            size *= 4
