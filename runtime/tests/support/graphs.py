"""CUDA graphs that the tests capture themselves, with the CUDA driver."""

import contextlib
import ctypes
import time

import native
from package import cuvec


@contextlib.contextmanager
def captured(stream, calls):
    """Capture calls into a graph; yield a function that replays it, or None if they refuse."""
    graph, executable, handle = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(stream)
    native.driver("cuStreamBeginCapture_v2", handle, 2)
    try:
        calls()
    except RuntimeError:
        with contextlib.suppress(AssertionError):  # the capture was invalidated
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


def becomes_true(condition):
    """Wait for the effects of destroying a graph, which the driver reports on its own thread."""
    for _ in range(1000):
        cuvec.dev_sync()  # releases what is no longer used
        if condition():
            return True
        time.sleep(0.01)
    return False
