"""What holds the work on a CUDA stream back."""

import contextlib
import ctypes
import threading

import native

gates = []  # kept, because the driver may be in a callback for a while yet


class Gate:
    """Something on a stream that lets nothing pass before it is opened."""

    PATIENCE = 20  # seconds, so that a call that waits for its stream fails and does not hang

    def __init__(self, stream):
        self.opened = threading.Event()
        self.was_opened = None
        self.callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.wait)
        gates.append(self)
        native.driver("cuLaunchHostFunc", ctypes.c_void_p(stream), self.callback, None)

    def wait(self, _):
        self.was_opened = self.opened.wait(self.PATIENCE)


@contextlib.contextmanager
def closed_gate(stream):
    """Hold a stream back until the end of the block."""
    gate = Gate(stream)
    try:
        yield
        assert gate.was_opened is None, "something waited for the stream"
    finally:
        gate.opened.set()


@contextlib.contextmanager
def gate_that_opens(stream):
    """Hold a stream back for a moment."""
    gate = Gate(stream)
    timer = threading.Timer(0.2, gate.opened.set)
    timer.start()
    yield
    timer.join()
