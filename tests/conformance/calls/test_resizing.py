"""Arrays that are resized during a call: NumPy refuses it once the call has read them."""

import contextlib
import threading
import time

import numpy as np
import pytest
from exporters import DlpackWithAction
from package import axpy, core, dot

SIZE = 100_000


def shrink(x):
    owner = x.base if isinstance(x.base, np.ndarray) else x
    owner.resize(0, refcheck=False)


def shrinking(x):
    """Return an array whose export shrinks `x`."""
    return DlpackWithAction(np.ones(SIZE, x.dtype), lambda: shrink(x))


@pytest.mark.parametrize("call", [dot, lambda x, y: axpy(1, x, y), core.assign])
def test_an_exporter_cannot_resize_another_argument(call):
    x = np.ones(SIZE, "f4")
    with pytest.raises(ValueError, match="resize"):
        call(x, shrinking(x))
    assert x.sum() == SIZE
    shrink(x)  # and after the call it can be resized


@pytest.mark.parametrize("part", [slice(None, SIZE), slice(16, SIZE + 16)])
def test_an_exporter_cannot_resize_the_base_of_another_argument(part):
    x = np.ones(2 * SIZE)[part]
    with pytest.raises(ValueError, match="resize"):
        axpy(1, x, shrinking(x))
    y = np.ones(SIZE)
    axpy(1, x, y)
    assert (y == 2).all()


def test_an_array_that_is_resized_before_it_is_read_has_its_new_size():
    x = np.ones(SIZE, "f4")
    with pytest.raises(ValueError, match=r"shape, not \(100000,\) and \(0,\)"):
        dot(shrinking(x), x)


def test_another_thread_cannot_resize_an_argument_during_a_call():
    stop, refused = threading.Event(), []

    def resize_all_the_time():
        while not stop.is_set():
            try:
                shrink(x)
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


def test_this_thread_cannot_resize_an_argument_of_another_threads_call():
    """It tries to during calls; it may come too late for some of them."""
    outcomes = []
    while "refused" not in outcomes and len(outcomes) < 100:
        x, y = np.ones(1 << 22), np.ones(1 << 22)
        exported = threading.Event()
        thread = threading.Thread(target=axpy, args=(1, x, DlpackWithAction(y, exported.set)))
        thread.start()
        exported.wait()
        try:
            shrink(x)
            outcomes.append("too late")
        except ValueError:
            outcomes.append("refused")
        thread.join()
    assert outcomes[-1] == "refused"
    assert (y == 2).all()


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
