"""Graphs that the tests record themselves, by the CUDA driver."""

import contextlib
import ctypes
import time

import native
from package import cuvec


@contextlib.contextmanager
def replayed(stream, record):
    """Record calls into a graph; give what runs it, or None if they refuse to be recorded."""
    graph, executable, handle = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(stream)
    native.driver("cuStreamBeginCapture_v2", handle, 2)
    try:
        record()
    except RuntimeError:
        with contextlib.suppress(AssertionError):  # the recording is spoilt
            native.driver("cuStreamEndCapture", handle, ctypes.byref(graph))
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


def comes_true(condition):
    """Wait for what follows the end of a graph, which the driver tells on a thread of its own."""
    for _ in range(1000):
        cuvec.dev_sync()  # lets go
        if condition():
            return True
        time.sleep(0.01)
    return False
