"""Reference counts and memory: calls leak nothing and release nothing twice, whether they succeed or fail."""

import array
import gc
import sys
import weakref

import numpy as np
import pytest
from exporters import Dlpack
from package import axpy, core, cuvec, dot, gemv

# Since Python 3.12 None is immortal, and code compiled for an older ABI only increments its count.
NONE_IS_COUNTED = sys.version_info < (3, 12)


def counts(*objects):
    return [sys.getrefcount(it) for it in objects]


KINDS = {
    "cuvec": cuvec.ones,
    "buffer": lambda n: cuvec.ones(n).cuvec,
    "numpy": lambda n: np.ones(n, "f4"),
    "dlpack": lambda n: Dlpack(cuvec.ones(n)),
    "memoryview": lambda n: memoryview(np.ones(n, "f4")),
    "array": lambda n: array.array("f", [1] * n),
}
kinds = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


@kinds
def test_calls_leak_no_references(make):
    x, y = make(5), make(5)
    gc.collect()
    gc.disable()  # a collection may free references to None
    try:
        before = counts(x, y, None)
        for _ in range(100):
            axpy(2, x, y)
            core.assign(x=x, y=y, stream=None)
            dot(x, y)
        after = counts(x, y, None)
    finally:
        gc.enable()
    assert after[:2] == before[:2]
    if NONE_IS_COUNTED:
        assert abs(after[2] - before[2]) < 50  # other code uses None, too


@kinds
def test_failing_calls_leak_no_references(make):
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
        lambda: dot(x, x, out=wrong),
    ):
        for _ in range(100):
            with pytest.raises((TypeError, ValueError)):
                call()
    gc.collect()
    assert counts(x, y, wrong) == before


OTHERS = {
    "no error": (np.zeros(3, "f4"), None),
    "a list": ([0.0] * 3, TypeError),
    "another shape": (np.zeros(4, "f4"), ValueError),
    "another dtype": (np.zeros(3, "i4"), TypeError),
    "no array": ("no array", TypeError),
}


@pytest.mark.parametrize(("other", "error"), OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("first", [False, True])
def test_buffers_are_released_after_the_call(other, error, first):
    """An array.array cannot grow while its buffer is exported."""
    x = array.array("f", [1, 2, 3])
    try:
        axpy(2, *((x, other) if first else (other, x)))
    except (TypeError, ValueError) as caught:
        assert type(caught) is error  # noqa: PT017
    else:
        assert error is None
    x.append(4)


def test_the_buffer_of_out_is_released_after_the_call():
    out = array.array("f", [0] * 2)
    assert gemv(np.ones((2, 3), "f4"), np.ones(3, "f4"), out=out) is out
    with pytest.raises(ValueError, match="shape"):
        gemv(np.ones((3, 3), "f4"), np.ones(3, "f4"), out=out)
    out.append(4)
    assert out.tolist() == [2.5, 2.5, 4]


@pytest.mark.usefixtures("no_garbage")
def test_dlpack_tensors_are_released_after_the_call():
    x = Dlpack(cuvec.ones(6))
    used = cuvec.memory_stats().used
    for _ in range(10):
        assert dot(x, x) == 6
        with pytest.raises(ValueError, match="shape"):
            dot(x, cuvec.zeros(1))
        with pytest.raises(TypeError):
            dot(x, None)
    del x
    assert cuvec.memory_stats().used < used


@pytest.mark.parametrize("make", [lambda: np.ones(4), lambda: cuvec.ones(4, "f8")])
def test_arguments_are_released_after_the_call(make):
    class Own(np.ndarray):
        pass

    x = make().view(Own)
    weak = weakref.ref(x)
    assert dot(x, x) == 4
    with pytest.raises(TypeError):
        dot(x, None)
    del x
    assert weak() is None


def test_an_exception_of_an_argument_releases_the_others():
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
    used = cuvec.memory_stats().used
    buffer = core.Buffer((1000,), "<f4", "managed", True)
    allocated = cuvec.memory_stats().used
    assert allocated > used
    view = memoryview(buffer)
    capsule = buffer.dlpack(buffer.ptr, (1000,), (1,), "<f4", False, (1, 0), True, False)
    del buffer
    assert view[999] == 0
    assert cuvec.memory_stats().used == allocated
    view.release()
    assert cuvec.memory_stats().used == allocated
    del capsule
    assert cuvec.memory_stats().used == used


@pytest.mark.usefixtures("no_garbage")
def test_failing_constructors_leak_neither_memory_nor_references():
    before = cuvec.memory_stats().used, sys.getrefcount(core.Buffer)
    for _ in range(100):
        core.Buffer((3,), "<f4", "managed", True)
        for arguments in (((-1,), "<f4"), ((3,), "<x4"), ((1 << 50,), "<f4"), ((3, None), "<f4")):
            with pytest.raises((TypeError, ValueError, MemoryError)):
                core.Buffer(*arguments, "managed", True)
    gc.collect()
    assert (cuvec.memory_stats().used, sys.getrefcount(core.Buffer)) == before


class Finalized:
    """Reads a view when the garbage collector finalizes it."""

    def __init__(self, view, seen):
        self.view, self.seen = view, seen
        self.itself = self

    def __del__(self):
        self.other = cuvec.full(100, 99, "u1")  # would recycle the memory, had it been freed
        self.seen.append(bytes(self.view))


def test_memory_in_a_reference_cycle_is_alive_in_finalizers():
    seen = []
    gc.collect()
    for number in range(10):
        x = cuvec.full(100, number, "u1")
        Finalized(memoryview(x.cuvec), seen)
        del x
    gc.collect()
    assert sorted(seen) == [bytes([number]) * 100 for number in range(10)]
