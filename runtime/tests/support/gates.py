"""Gates: callbacks that block the work on a CUDA stream until they are opened."""

import contextlib
import ctypes
import threading

import native

gates = []  # kept alive, because the driver may still be in a callback


class Gate:
    """A callback on a stream that blocks it until the gate is opened."""

    TIMEOUT = 20  # seconds, so that a call that synchronizes its stream fails and does not hang

    def __init__(self, stream):
        self.opened = threading.Event()
        self.was_opened = None
        self.callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.wait)
        gates.append(self)
        native.driver("cuLaunchHostFunc", ctypes.c_void_p(stream), self.callback, None)

    def wait(self, _):
        self.was_opened = self.opened.wait(self.TIMEOUT)


@contextlib.contextmanager
def closed_gate(stream):
    """Block a stream until the end of the `with` block."""
    gate = Gate(stream)
    try:
        yield
        assert gate.was_opened is None, "something synchronized the stream"
    finally:
        gate.opened.set()


@contextlib.contextmanager
def gate_that_opens(stream):
    """Block a stream for a moment."""
    gate = Gate(stream)
    timer = threading.Timer(0.2, gate.opened.set)
    timer.start()
    yield
    timer.join()
