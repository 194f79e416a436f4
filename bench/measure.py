"""Measures one subject and writes what it is and its records.

    measure.py SUBJECT NAME OUTPUT.json [again | foreign]

SUBJECT is a class of `subjects`, such as `torch_peer.Torch`; NAME is what it is called in the tables. With `again`, only
that is measured which some processes do more slowly than others, and goals are set for: the largest arrays on the
GPU, small calls, and the host and the GPU taking turns; with `foreign`, small calls alone, on its own arrays and on arrays of other
libraries, or in programs of JAX.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from clock import Times, calls_of, repeats_for, times, times_in_turns
from measured import Kind
from record import Record, record
from subjects.subject import Subject
from turns import turns

KIB = 1024
SMALL = 1024  # elements
WIDTH = 16 * KIB  # of a matrix
BATCH = 0.02  # seconds


def checked(subject: Subject) -> None:
    """Random numbers in, compared with float64."""
    rng = np.random.default_rng(1)
    x, y = (rng.random(1 << 20, dtype="f4") for _ in range(2))
    there = subject.on_gpu(x), subject.on_gpu(y)
    subject.waiting(*there)()
    np.testing.assert_allclose(subject.on_host(there[1]), subject.expected(x, y), rtol=1e-6)
    a = x.reshape(1 << 10, 1 << 10)
    if gemv := subject.gemv(subject.on_gpu(a), subject.on_gpu(a[0])):
        product = gemv()
        subject.wait()
        np.testing.assert_allclose(subject.on_host(product), a.astype("f8") @ a[0].astype("f8"), rtol=1e-5)
    if dot := subject.dot(there[0], there[0]):
        np.testing.assert_allclose(dot(), np.dot(x.astype("f8"), x.astype("f8")), rtol=1e-5)


def on_gpu(subject: Subject, again: bool) -> Iterator[tuple[str, int, Times]]:
    """The operations on arrays that are on the GPU, over their size; `again` only with the largest."""
    sizes = [KIB << 2 * n for n in range(11) if KIB << 2 * n <= subject.largest]
    for size in sizes[-1:] if again else sizes:
        values = np.zeros(size // 4, "f4")
        x, y = subject.on_gpu(values), subject.on_gpu(values)
        issue = subject.issue(x, y)
        issue()
        subject.wait()
        repeats = repeats_for(BATCH, issue, subject.wait)
        yield "axpy", size, times(issue, 10, repeats, subject.wait, counted=True)
        if dot := subject.dot(x, y):
            yield "dot", size, times(dot, 10, repeats_for(BATCH, dot))
    if subject.largest >= 4 * WIDTH**2:
        a, x = subject.on_gpu(np.ones((WIDTH, WIDTH), "f4")), subject.on_gpu(np.ones(WIDTH, "f4"))
        if gemv := subject.gemv(a, x):
            repeats = repeats_for(BATCH, gemv, subject.wait)
            yield "gemv", 4 * WIDTH**2, times(gemv, 10, repeats, subject.wait, counted=True)


def calls(subject: Subject) -> Iterator[tuple[str, int, Times]]:
    """Cost of a small call, and of a new array."""
    values = np.ones((64, 64), "f4")
    if subject.largest:
        x, y = subject.on_gpu(np.ones(SMALL, "f4")), subject.on_gpu(np.ones(SMALL, "f4"))
        works = {
            "issue": calls_of(subject.issue(x, y)),
            "wait": calls_of(subject.waiting(x, y)),
            **subject.launches(x, y),
        }
        times_in_turns([*works.values()], 25, 400, subject.wait)  # until all clocks are up
        for work, seconds in zip(works, times_in_turns([*works.values()], 50, 200, subject.wait), strict=True):
            yield work, 4 * SMALL, seconds
    if call := subject.nothing():
        yield "issue, empty", 0, times(call, 50, 400)
    for work, call in (("zeros", subject.zeros()), ("asarray", subject.asarray(values))):
        if call:
            yield work, values.nbytes, times(call, 20, 200)


def parts(subject: Subject, part: str) -> list[Iterator[tuple[str, int, Times]]]:
    if part == "foreign":
        return [calls(subject), subject.foreign()]
    again = part == "again"
    measured = [on_gpu(subject, again), turns(subject, again)]
    if again:
        return [*measured, calls(subject)]
    return [*measured, subject.extra(), calls(subject)]


def records(subject: Subject, name: str, part: str) -> Iterator[Record]:
    for work, size, seconds in chain(*parts(subject, part)):
        yield record(name, work, size, seconds)


def main() -> None:
    path, name, output, *rest = sys.argv[1:]
    module, kind = path.split(".")
    subject: Subject = getattr(importlib.import_module(f"subjects.{module}"), kind)()
    checked(subject)
    kind = Kind(subject.operation, subject.arrays_moved)
    Path(output).write_text(json.dumps({"kind": kind, "records": list(records(subject, name, "".join(rest)))}))


if __name__ == "__main__":
    main()
