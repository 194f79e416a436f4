"""C functions that tests call through ctypes, and gates, which block the work on a CUDA stream."""

import contextlib
import ctypes
import os
import threading

WINDOWS = os.name == "nt"
c_library = ctypes.cdll.msvcrt if WINDOWS else ctypes.CDLL(None)


def run_on_native_thread(function, argument):
    """Call the C function at an address, with a pointer, on a thread that Python did not start."""
    start, argument = ctypes.c_void_p(function), ctypes.c_void_p(argument)
    if WINDOWS:
        kernel = ctypes.WinDLL("kernel32")
        kernel.CreateThread.restype = ctypes.c_void_p
        thread = kernel.CreateThread(None, ctypes.c_size_t(0), start, argument, 0, None)
        assert kernel.WaitForSingleObject(ctypes.c_void_p(thread), -1) == 0
        return
    thread = ctypes.c_ulong()
    assert c_library.pthread_create(ctypes.byref(thread), None, start, argument) == 0
    assert c_library.pthread_join(thread, None) == 0


def driver(name, *arguments):
    """Call a function of the CUDA driver."""
    library = ctypes.WinDLL("nvcuda") if WINDOWS else ctypes.CDLL("libcuda.so.1")
    code = getattr(library, name)(*arguments)
    assert code == 0, f"{name} returned {code}"


@contextlib.contextmanager
def new_stream(device=0):
    """Create a CUDA stream in the primary context, which the package uses too; yield its handle."""
    context, stream = ctypes.c_void_p(), ctypes.c_void_p()
    driver("cuInit", 0)
    driver("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    driver("cuCtxPushCurrent_v2", context)
    driver("cuStreamCreate", ctypes.byref(stream), 1)  # 1: non-blocking
    try:
        yield stream.value
    finally:
        driver("cuStreamSynchronize", stream)
        driver("cuStreamDestroy_v2", stream)
        driver("cuCtxPopCurrent_v2", ctypes.byref(context))
        driver("cuDevicePrimaryCtxRelease_v2", device)


def preferred_gpu(x):
    """Return the preferred location of an array in managed memory: the index of a GPU, or -1."""
    location = ctypes.c_int()
    place, preferred = (ctypes.byref(location), ctypes.c_size_t(4)), 2
    where = ctypes.c_void_p(x.ptr), ctypes.c_size_t(x.nbytes)
    driver("cuMemRangeGetAttribute", *place, preferred, *where)
    return location.value


def bytes_at(address, size):
    """Return a copy of the memory at an address."""
    return ctypes.string_at(address, size)


gates = []  # kept alive, because the driver may still be in a callback


class Gate:
    """A callback on a stream that blocks it until the gate is opened."""

    TIMEOUT = 20  # seconds, so that a call that synchronizes its stream fails and does not hang

    def __init__(self, stream):
        self.opened = threading.Event()
        self.was_opened = None
        self.callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.wait)
        gates.append(self)
        driver("cuLaunchHostFunc", ctypes.c_void_p(stream), self.callback, None)

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
