"""A small call on arrays of another library, on the stream that this library works on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from clock import Times, calls_of, times_in_turns
from subjects.subject import A, Call

SMALL = 1024  # elements
Make = Callable[[float, Any, Any, int], Call]  # of a number, two arrays and the handle of a stream


class Theirs(NamedTuple):
    """Two arrays of a library, the handle of the stream that it works on, and a wait for that."""

    x: Any
    y: Any
    stream: int
    wait: Call


@contextmanager
def cupys() -> Iterator[Theirs]:
    """CuPy works on the default stream unless it is told to use another one."""
    import cupy as cp

    stream = cp.cuda.get_current_stream()
    yield Theirs(cp.ones(SMALL, "f4"), cp.zeros(SMALL, "f4"), stream.ptr, stream.synchronize)


@contextmanager
def pytorchs() -> Iterator[Theirs]:
    """On a side stream, as in a CUDA graph, or next to another model."""
    import torch  # here: it takes seconds

    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        x, y = torch.ones(SMALL, device="cuda"), torch.zeros(SMALL, device="cuda")
        yield Theirs(x, y, stream.cuda_stream, stream.synchronize)


LIBRARIES = {"CuPy": cupys, "PyTorch": pytorchs}


def on_their_stream(makes: dict[str, Make], libraries: Iterable[str] = LIBRARIES) -> Iterator[tuple[str, int, Times]]:
    """Times the calls that `makes` make, in turns, after a look at what they compute."""
    for library in libraries:
        with LIBRARIES[library]() as (x, y, stream, wait):
            for number, make in enumerate(makes.values(), 1):
                make(2, x, y, stream)()
                wait()
                np.testing.assert_array_equal(y.tolist(), 2 * number)
            calls = [calls_of(make(A, x, y, stream)) for make in makes.values()]
            times_in_turns(calls, 5, 400, wait)  # until all clocks are up
            for work, times in zip(makes, times_in_turns(calls, 50, 400, wait), strict=True):
                yield f"{work}, {library}, their stream", 4 * SMALL, times
