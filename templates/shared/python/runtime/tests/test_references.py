"""Reference counts: nothing is kept, nothing is given back twice, after calls that work and calls that fail."""

import array
import gc
import sys

import numpy as np
import pytest
from package import axpy, core, cuvec, dot

# Since 3.12 None is immortal, and code compiled for the ABI of 3.11 counts in one direction only.
NONE_IS_COUNTED = sys.version_info < (3, 12)


def counts(*objects):
    return [sys.getrefcount(it) for it in objects]


class Exporter:
    """An array of another library."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **arguments):
        return self.x.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


KINDS = {
    "cuvec": cuvec.ones,
    "buffer": lambda n: cuvec.ones(n).cuvec,
    "numpy": lambda n: np.ones(n, "f4"),
    "dlpack": lambda n: Exporter(cuvec.ones(n)),
    "memoryview": lambda n: memoryview(np.ones(n, "f4")),
    "array": lambda n: array.array("f", [1] * n),
}
kinds = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


@kinds
def test_calls_keep_nothing(make):
    x, y = make(5), make(5)
    before = counts(x, y, None)
    for _ in range(100):
        axpy(2, x, y)
        core.assign(x=x, y=y, stream=None)
        dot(x, y)
    after = counts(x, y, None)
    assert after[:2] == before[:2]
    if NONE_IS_COUNTED:
        assert abs(after[2] - before[2]) < 50  # others use None, too


@kinds
def test_failing_calls_keep_nothing(make):
    x, y = make(5), make(6)
    wrong = object()
    before = counts(x, y, wrong)
    for call in (
        lambda: axpy(2, x, y),  # of different shapes
        lambda: axpy(2, x, wrong),
        lambda: axpy(wrong, x, x),
        lambda: dot(x, wrong),
        lambda: dot(x, y, stream=wrong),
        lambda: dot(x, y, wrong=wrong),
        lambda: dot(x, y, x=x),
        lambda: dot(x),
    ):
        for _ in range(100):
            with pytest.raises((TypeError, ValueError)):
                call()
    gc.collect()
    assert counts(x, y, wrong) == before


@kinds
def test_an_array_can_be_resized_after_a_failing_call(make):
    """What exporters of the buffer protocol lock is unlocked again."""
    x = make(5)
    with pytest.raises(TypeError):
        dot(x, None)
    with pytest.raises(ValueError, match="shape"):
        dot(x, make(6))
    if isinstance(x, array.array):
        x.append(1)
    if isinstance(x, memoryview):
        x.release()


def test_an_exception_of_an_argument_is_the_one_that_is_raised():
    error = KeyError("on purpose")

    class Broken:
        def __dlpack_device__(self):
            raise error

        def __dlpack__(self, **_):
            raise AssertionError("not reached")

    x = cuvec.ones(5)
    before = sys.getrefcount(x)
    with pytest.raises(KeyError) as caught:
        axpy(1, x, Broken())
    assert caught.value is error
    del caught
    error.__traceback__ = None
    assert sys.getrefcount(x) == before


@pytest.mark.usefixtures("no_garbage")
def test_memory_lives_as_long_as_a_view_or_a_capsule_of_it():
    used = core.memory_stats()[0]
    buffer = core.Buffer((1000,), "<f4", "managed", True)
    held = core.memory_stats()[0]
    assert held > used
    view = memoryview(buffer)
    capsule = buffer.dlpack(buffer.ptr, (1000,), (1,), "<f4", False, (1, 0), True, False)
    assert sys.getrefcount(buffer) == 3  # this name, the argument, the view; not the capsule
    del buffer
    assert view[999] == 0
    assert core.memory_stats()[0] == held
    view.release()
    assert core.memory_stats()[0] == held
    del capsule
    assert core.memory_stats()[0] == used


@pytest.mark.usefixtures("no_garbage")
def test_failing_constructors_keep_no_memory_and_no_class():
    before = core.memory_stats()[0], sys.getrefcount(core.Buffer)
    for _ in range(100):
        core.Buffer((3,), "<f4", "managed", True)
        for arguments in (((-1,), "<f4"), ((3,), "<x4"), ((1 << 50,), "<f4"), ((3, None), "<f4")):
            with pytest.raises((TypeError, ValueError, MemoryError)):
                core.Buffer(*arguments, "managed", True)
    gc.collect()
    assert (core.memory_stats()[0], sys.getrefcount(core.Buffer)) == before
