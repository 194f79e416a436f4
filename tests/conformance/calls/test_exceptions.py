"""Exceptions of arguments' own code and of signal handlers, Ctrl-C and exits among them, are passed on unchanged."""

import signal

import exporters
import pytest
from package import axpy, cuvec, dot

NOT_ERRORS = (KeyboardInterrupt, SystemExit, GeneratorExit)
OTHERS = (ZeroDivisionError, RecursionError, UnicodeError, MemoryError)


class Scalar:
    """A scalar whose conversion raises."""

    def __init__(self, error):
        self.error = error

    def __float__(self):
        raise self.error

    __index__ = __float__


class Stream:
    """A stream whose handle raises."""

    def __init__(self, error):
        self.error = error

    def __cuda_stream__(self):
        raise self.error


@pytest.mark.parametrize("kind", NOT_ERRORS + OTHERS)
@pytest.mark.parametrize("where", ["scalar", "interface", "dlpack", "device", "stream", "size"])
def test_exceptions_in_arguments_are_passed_on(where, kind):
    x, y, error = cuvec.ones(3), cuvec.ones(3), kind("on purpose")
    call = {
        "scalar": lambda: axpy(Scalar(error), x, y),
        "interface": lambda: axpy(1, exporters.Interface(error), y),
        "dlpack": lambda: dot(exporters.Exchange(error, (1, 0)), y),
        "device": lambda: dot(x, exporters.Exchange(None, error)),
        "stream": lambda: axpy(1, x, y, stream=Stream(error)),
        "size": lambda: cuvec.empty((3, Scalar(error))),
    }[where]
    with pytest.raises(kind) as raised:
        call()
    assert raised.value is error or (kind in OTHERS and "on purpose" in str(raised.value))
    assert dot(x, y) == 3


INTERFACE = {"shape": (3,), "typestr": "<f4", "data": (4096, False), "version": 3}
EMPTY = {"shape": (0,), "data": (0, False)}  # which is not looked for on a GPU


@pytest.mark.parametrize("kind", [*NOT_ERRORS, ZeroDivisionError, MemoryError, TimeoutError])
@pytest.mark.parametrize(
    "where", ["device", "stream", "shape", "strides", "address", "version", "stream of an array"]
)
def test_exceptions_of_numbers_that_describe_an_argument_are_passed_on(where, kind):
    """A handler of a signal raises wherever Python code runs."""
    y, error = cuvec.ones(3), kind("on purpose")
    raising = Scalar(error)
    changes = {
        "shape": {"shape": (raising,)},
        "strides": {"strides": (raising,)},
        "address": {"data": (raising, False)},
        "version": {"version": raising, **EMPTY},
        "stream of an array": {"stream": raising, **EMPTY},
    }
    stream = type("Stream", (), {"__cuda_stream__": lambda _: (0, raising)})
    call = {
        "device": lambda: dot(y, exporters.Exchange(None, (1, raising))),
        "stream": lambda: axpy(1, y, cuvec.ones(3), stream=stream()),
    }.get(where, lambda: dot(y, exporters.Interface(INTERFACE | changes[where])))
    with pytest.raises(kind) as raised:
        call()
    assert raised.value is error


class Broken:
    """An array of a library that raises in its own code."""

    def __init__(self, error):
        self.error = error

    def __dlpack_device__(self):
        raise self.error

    def __dlpack__(self, **_arguments):
        raise NotImplementedError


@pytest.mark.parametrize("error", [KeyError("x"), KeyboardInterrupt(), TypeError("x")])
@pytest.mark.parametrize("position", [0, 1])
def test_exceptions_keep_their_traceback(error, position):
    arguments = [cuvec.ones(3), cuvec.ones(3)]
    arguments[position] = Broken(error)
    with pytest.raises(type(error)) as caught:
        dot(*arguments)
    assert caught.value is error
    assert "__dlpack_device__" in [entry.name for entry in caught.traceback]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers")
def test_ctrl_c_during_a_conversion_is_a_keyboard_interrupt(run_python):
    code = """
    import random
    import signal
    import sys
    from package import axpy, cuvec

    class Own:
        array = cuvec.ones(3)

        def __dlpack__(self, **arguments):
            for _ in range(20):
                pass
            return self.array.__dlpack__(**arguments)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    y, seen = cuvec.zeros(3), set()
    random.seed(0)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    sys.unraisablehook = lambda ignored: None  # an interrupt in a finalizer cannot be raised
    for _ in range(300):
        try:
            signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, 3e-4))
            for _ in range(100):
                axpy(1, Own(), y)
        except BaseException as error:
            seen.add(type(error).__name__)
    print(*seen)
    """
    assert run_python(code) == "KeyboardInterrupt"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers")
def test_ctrl_c_during_an_allocation_leaks_nothing(run_python):
    code = """
    import signal
    from package import cuvec

    interrupts = 0
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for _ in range(10):
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.002)
            for _ in range(1000):
                cuvec.zeros(32 << 20, "u1")
        except KeyboardInterrupt:
            interrupts += 1
    print(interrupts, cuvec.memory_stats().used)
    """
    assert run_python(code) == "10 0"


INTERRUPTED = """
import _thread, threading, time
from package import cuvec, smooth, spin
used = cuvec.memory_stats().used
start = time.monotonic()
try:
    threading.Timer(0.1, _thread.interrupt_main).start()
    spin(60, threads={threads})
except KeyboardInterrupt:
    print(time.monotonic() - start < 10, cuvec.memory_stats().used == used)
x = cuvec.ones(100_000)
print(bool((smooth(x) == x).all()), spin(0.01, threads=True) >= 0.01)
"""


@pytest.mark.parametrize("threads", [False, True])
def test_ctrl_c_ends_a_call(run_python, threads):
    output = run_python(INTERRUPTED.format(threads=threads), CUVEC_DEVICE="cpu")
    assert output.split() == ["True"] * 4


@pytest.mark.parametrize("threads", [False, True])
def test_the_exception_of_the_handler_is_raised(run_python, threads):
    code = f"""
    import _thread, signal, threading
    from package import spin
    def stop(*_):
        raise LookupError("on purpose")
    signal.signal(signal.SIGINT, stop)
    try:
        threading.Timer(0.1, _thread.interrupt_main).start()
        spin(60, threads={threads})
    except LookupError as error:
        print(error)
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "on purpose"


def test_a_handler_that_does_not_raise_interrupts_nothing(run_python):
    code = """
    import _thread, signal, threading
    from package import spin
    seen = []
    signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    threading.Timer(0.1, _thread.interrupt_main).start()
    print(spin(0.5) >= 0.5, seen)
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "True [1]"


def test_only_the_main_thread_is_interrupted(run_python):
    code = """
    import _thread, threading
    from package import spin
    results = []
    work = lambda: results.append(spin(0.5) >= 0.5)
    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    try:
        threading.Timer(0.1, _thread.interrupt_main).start()
        spin(60)
    except KeyboardInterrupt:
        print("interrupted")
    for worker in workers:
        worker.join()
    print(results)
    """
    assert run_python(code, CUVEC_DEVICE="cpu").splitlines() == ["interrupted", "[True, True]"]
