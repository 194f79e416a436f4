"""What the tests of CUDA graphs record, with every kind of argument."""

import exporters
import numpy as np
import pytest
from package import axpy, cuvec, dot

SIZE = 1000


def kinds(new):
    """Return ways to make an array, and what is given to functions for it; `new` is a library's."""

    def ours(memory):
        return lambda shape, dtype: cuvec.zeros(shape, dtype, memory)

    return {
        "managed": (ours("managed"), lambda x: x),
        "pinned": (ours("pinned"), lambda x: x),
        "the library's": (new, lambda x: x),
        "interface": (new, exporters.CudaArrayInterface),
        "dlpack": (new, exporters.Dlpack),
    }


class Recording:
    """`y += 2 * x` and the dot product of both, on arrays of one kind."""

    def __init__(self, make, give, read):
        self.read = read
        self.x, self.y, self.total = make(SIZE, "f4"), make(SIZE, "f4"), make((), "f8")
        self.given = [give(it) for it in (self.x, self.y, self.total)]

    def step(self, stream):
        x, y, total = self.given
        axpy(2, x, y, stream=stream)
        assert dot(x, y, out=total, stream=stream) is total

    def refused_step(self):
        """Call without a stream, which would not become a part of the graph."""
        x, y, total = self.given
        for call in (lambda: axpy(2, x, y), lambda: dot(x, y), lambda: dot(x, y, out=total)):
            with pytest.raises(RuntimeError, match=r"graph is being recorded.*`stream=`"):
                call()

    def start(self):
        """Set what is calculated from; the GPU has nothing to do."""
        self.x[...], self.y[...], self.total[...] = 1, 0, 0

    def check(self, times):
        """Check what is there after so many steps from the start."""
        cuvec.dev_sync()
        assert (self.read(self.y) == 2 * times).all()
        assert self.read(self.total) == 2 * times * SIZE

    def check_replays(self, replay):
        """Check a graph that has recorded one step: it is done when it is replayed, and not before."""
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
    """Return an array of ours, or of CuPy's, as one of NumPy's."""
    return np.asarray(x.get() if hasattr(x, "get") else x)
