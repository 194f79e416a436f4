"""CUDA graphs that the tests capture, with the CUDA driver or a library, and calls with every kind of argument."""

import contextlib
import ctypes
import functools
import time

import exporters
import native
import numpy as np
import pytest
from package import axpy, cuvec, dot


@contextlib.contextmanager
def captured(stream, calls, mode=2):
    """Capture calls into a graph, in a mode of CUDA's; yield a function that replays it, or None if they refuse."""
    graph, executable, handle = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(stream)
    native.driver("cuStreamBeginCapture_v2", handle, mode)
    try:
        calls()
    except RuntimeError:
        with contextlib.suppress(AssertionError):  # the capture was invalidated
            native.driver("cuStreamEndCapture", handle, ctypes.byref(graph))
            native.driver("cuGraphDestroy", graph)
        yield None
        return
    native.driver("cuStreamEndCapture", handle, ctypes.byref(graph))
    flags = ctypes.c_ulonglong(0)
    native.driver("cuGraphInstantiateWithFlags", ctypes.byref(executable), graph, flags)
    try:
        yield lambda: native.driver("cuGraphLaunch", executable, handle)
    finally:
        native.driver("cuStreamSynchronize", handle)
        native.driver("cuGraphExecDestroy", executable)
        native.driver("cuGraphDestroy", graph)


def becomes_true(condition):
    """Wait for the effects of destroying a graph, which the driver reports on its own thread."""
    for _ in range(1000):
        cuvec.dev_sync()  # releases what is no longer used
        if condition():
            return True
        time.sleep(0.01)
    return False


SIZE = 1000
# an array of our own memory or of a library's, which may be wrapped into another exporter
KINDS = ["managed", "pinned", "the library's", "interface", "dlpack"]
WRAPPERS = {"interface": exporters.CudaArrayInterface, "dlpack": exporters.Dlpack}


class Calls:
    """`y += 2 * x` and the dot product of both, on arrays of one kind."""

    def __init__(self, kind, new):
        """Make the arrays; `new(shape, dtype)` makes a library's own, of zeros."""
        make = functools.partial(cuvec.zeros, memory=kind) if kind in KINDS[:2] else new
        self.x, self.y, self.total = make(SIZE, "f4"), make(SIZE, "f4"), make((), "f8")
        wrap = WRAPPERS.get(kind, lambda x: x)
        self.arguments = [wrap(it) for it in (self.x, self.y, self.total)]

    def step(self, stream):
        x, y, total = self.arguments
        axpy(2, x, y, stream=stream)
        assert dot(x, y, out=total, stream=stream) is total

    def refused_step(self):
        """Call without a stream, which would not become part of the graph."""
        x, y, total = self.arguments
        for call in (lambda: axpy(2, x, y), lambda: dot(x, y), lambda: dot(x, y, out=total)):
            with pytest.raises(RuntimeError, match=r"graph is being captured.*`stream=`"):
                call()

    def start(self):
        """Reset the arrays; the GPU is idle."""
        self.x[...], self.y[...], self.total[...] = 1, 0, 0

    def check(self, times):
        """Check the arrays after this many steps from the start."""
        cuvec.dev_sync()
        assert (in_numpy(self.y) == 2 * times).all()
        assert in_numpy(self.total) == 2 * times * SIZE

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
        assert (in_numpy(self.y) == 12).all()
        assert in_numpy(self.total) == 36 * SIZE


def in_numpy(x):
    """Return an array of the package, CuPy or PyTorch as a NumPy array."""
    if hasattr(x, "cpu"):
        return x.cpu().numpy()
    return np.asarray(x.get() if hasattr(x, "get") else x)
