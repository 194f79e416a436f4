"""Arrays that change while a call is on the way: what was read is held, or read again."""

import contextlib
import threading
import time

import numpy as np
import pytest
from package import axpy, core, cuvec, dot

assign = core.assign


class Resizing:
    """An array whose exporter resizes another one that is an argument of the same call."""

    def __init__(self, victim, how):
        self.array = cuvec.ones(100_000)
        self.victim, self.how = victim, how

    def __dlpack__(self, **arguments):
        self.how(self.victim)
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def resize(array):
    array.resize(0, refcheck=False)


@pytest.mark.parametrize("call", [dot, lambda x, y: axpy(1, x, y), core.assign])
def test_an_exporter_cannot_resize_another_argument(call):
    x = np.ones(100_000, "f4")
    with pytest.raises(ValueError, match="resize"):
        call(x, Resizing(x, resize))
    assert x.sum() == 100_000
    x.resize(0, refcheck=False)  # and after the call it can be


def test_an_exporter_cannot_resize_what_an_argument_is_a_view_of():
    x = np.ones(200_000, "f4")
    with pytest.raises(ValueError, match="resize"):
        dot(x[::1][:100_000], Resizing(x, resize))


def test_an_array_that_is_resized_before_it_is_read_is_what_it_is_then():
    x = np.ones(100_000, "f4")
    with pytest.raises(ValueError, match=r"shape, not \(100000,\) and \(0,\)"):
        dot(Resizing(x, resize), x)


def test_another_thread_cannot_resize_an_argument_during_a_call():
    stop, refused = threading.Event(), []

    def resize_all_the_time():
        while not stop.is_set():
            try:
                resize(x)
                x.resize(1_000_000, refcheck=False)
            except ValueError:
                refused.append(True)

    x = np.ones(1_000_000)
    thread = threading.Thread(target=resize_all_the_time)
    thread.start()
    calls, deadline = 0, time.monotonic() + 60
    while calls < 200 or (not refused and time.monotonic() < deadline):  # they must meet once
        calls += 1
        y = np.ones(len(x))
        if len(x) == len(y):
            with contextlib.suppress(ValueError):  # another size than a moment before
                axpy(0, x, y)
    stop.set()
    thread.join()
    assert refused


def test_no_reference_is_left_after_a_call():
    x = np.ones(10)
    for call in (
        lambda: dot(x, x),
        lambda: dot(x, None),
        lambda: dot(x, np.ones(3)),
        lambda: dot(x[2:], x[2:]),
    ):
        with contextlib.suppress(TypeError, ValueError):
            call()
        x.resize(10, refcheck=False)
        x.resize(11, refcheck=False)
        x.resize(10, refcheck=False)
