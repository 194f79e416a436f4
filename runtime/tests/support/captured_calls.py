"""Calls that the tests of CUDA graphs capture, with every kind of argument."""

import exporters
import numpy as np
import pytest
from package import axpy, cuvec, dot

SIZE = 1000


def kinds(new):
    """Return how to make arrays and how to pass them to functions; `new` makes a library's own."""

    def ours(memory):
        return lambda shape, dtype: cuvec.zeros(shape, dtype, memory)

    return {
        "managed": (ours("managed"), lambda x: x),
        "pinned": (ours("pinned"), lambda x: x),
        "the library's": (new, lambda x: x),
        "interface": (new, exporters.CudaArrayInterface),
        "dlpack": (new, exporters.Dlpack),
    }


class Calls:
    """`y += 2 * x` and the dot product of both, on arrays of one kind."""

    def __init__(self, make, wrap, read):
        self.read = read
        self.x, self.y, self.total = make(SIZE, "f4"), make(SIZE, "f4"), make((), "f8")
        self.arguments = [wrap(it) for it in (self.x, self.y, self.total)]

    def step(self, stream):
        x, y, total = self.arguments
        axpy(2, x, y, stream=stream)
        assert dot(x, y, out=total, stream=stream) is total

    def refused_step(self):
        """Call without a stream, which would not become part of the graph."""
        x, y, total = self.arguments
        for call in (lambda: axpy(2, x, y), lambda: dot(x, y), lambda: dot(x, y, out=total)):
            with pytest.raises(RuntimeError, match=r"graph is being recorded.*`stream=`"):
                call()

    def start(self):
        """Reset the arrays; the GPU is idle."""
        self.x[...], self.y[...], self.total[...] = 1, 0, 0

    def check(self, times):
        """Check the arrays after this many steps from the start."""
        cuvec.dev_sync()
        assert (self.read(self.y) == 2 * times).all()
        assert self.read(self.total) == 2 * times * SIZE

    def check_replays(self, replay):
        """Check a graph of one captured step, which runs when the graph is replayed, not before."""
        self.check(0)
        for times in range(1, 4):
            replay()
            self.check(times)
        self.x[...] = 3
        cuvec.dev_sync()
        replay()
        cuvec.dev_sync()
        assert (self.read(self.y) == 12).all()
        assert self.read(self.total) == 36 * SIZE


def in_numpy(x):
    """Return an array of the package's or CuPy's as a NumPy array."""
    return np.asarray(x.get() if hasattr(x, "get") else x)
