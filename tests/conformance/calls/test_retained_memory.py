"""An argument that gets other memory during a call: the call uses the memory that it has read."""

import contextlib
import mmap
import operator
import tracemalloc
import warnings

import numpy as np
import pytest
from exporters import DlpackWithAction
from package import axpy, core, cuvec, dot, gemv

SIZE = 10_000  # whose memory is used again as soon as it is free


def fill_free_memory():
    """Return arrays that are in memory which was free."""
    others = [np.full(SIZE, 77.0) for _ in range(20)]
    cuvec.empty_cache()
    return [*others, *(cuvec.full(SIZE, 77, "f8") for _ in range(20))]


def with_setstate(x):
    x.__setstate__(np.zeros(2).__reduce__()[2])


def with_data(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        x.data = np.zeros(SIZE).data


def ways_to_exchange():
    """Return those that this version of NumPy has."""
    try:
        with_data(np.ones(SIZE))
    except AttributeError:
        return [with_setstate]
    return [with_setstate, with_data]


class Number:
    """A number that does something when it is read."""

    def __init__(self, action):
        self.action = action

    def __float__(self):
        self.action()
        return 1.0


ARRAYS = {
    "numpy": lambda: np.ones(SIZE),
    "cuvec": lambda: cuvec.ones(SIZE, "f8"),
    "pinned": lambda: cuvec.ones(SIZE, "f8", "pinned"),
    "a view": lambda: np.ones(2 * SIZE)[SIZE:],
    "a view of a view": lambda: np.ones((2, SIZE))[1][:],
    "a view of records": lambda: np.ones(SIZE, [("a", "f8")])["a"],
    "a view of cuvec": lambda: cuvec.ones(2 * SIZE, "f8")[SIZE:],
    "of bytes": lambda: np.frombuffer(np.ones(SIZE).tobytes()),
    "of a bytearray": lambda: np.ndarray(SIZE, "f8", bytearray(np.ones(SIZE).tobytes())),
}
arrays = pytest.mark.parametrize("make", ARRAYS.values(), ids=ARRAYS)
ways = pytest.mark.parametrize("exchange", ways_to_exchange())


CALLS = {"dot": dot, "axpy": lambda x, y: axpy(1, x, y), "assign": core.assign}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@arrays
@ways
def test_an_exporter_gives_another_argument_other_memory(call, make, exchange):
    x, y, filled = make(), cuvec.ones(SIZE, "f8"), []

    def action():
        exchange(x)
        filled.extend(fill_free_memory())

    assert call(x, DlpackWithAction(y, action)) in (SIZE, None)
    assert filled
    assert set(y) <= {1, 2}
    assert all((other == 77).all() for other in filled)


@arrays
@ways
def test_a_number_gives_an_array_other_memory(make, exchange):
    x, filled = make(), []

    def action():
        exchange(x)
        filled.extend(fill_free_memory())

    result = gemv(np.ones((1, SIZE)), x, alpha=Number(action))
    assert filled
    assert result == SIZE - 0.5


@ways
def test_what_is_written_goes_to_the_memory_that_was_read(exchange):
    x, y, filled = np.ones(SIZE), np.ones(SIZE), []
    view = y[:]  # of the memory that `y` has at first; NumPy does not retain it

    def action():
        exchange(y)
        filled.extend(fill_free_memory())

    axpy(Number(action), x, y)
    assert filled
    assert all((other == 77).all() for other in filled)
    assert (y == 0).all()
    del view


@pytest.mark.parametrize("outcome", ["returns", "raises"])
def test_an_array_owns_its_memory_before_and_after_a_call(outcome):
    x = np.ones(SIZE)
    view = x[1:]
    seen = []
    look = Number(lambda: seen.append((x.flags.owndata, x.base is None)))
    other = np.ones(SIZE) if outcome == "returns" else np.ones(3)
    for first in (x, view[:0], x):
        with contextlib.suppress(ValueError):
            axpy(look, first, other)
        with contextlib.suppress(ValueError):
            dot(x, x)
            dot(view, view)
        assert x.flags.owndata
        assert x.base is None
    assert seen == [(False, False)] * 3
    assert view.base is x


def test_a_call_within_a_call_leaves_the_memory_to_the_outer_one():
    x, filled = np.ones(SIZE), []

    def action():
        assert dot(x, x) == SIZE
        with_setstate(x)
        filled.extend(fill_free_memory())

    assert gemv(np.ones((1, SIZE)), x, alpha=Number(action)) == SIZE - 0.5
    assert filled


def test_the_object_that_owns_the_memory_may_be_kept():
    x, bases = np.ones(SIZE), []
    for _ in range(3):
        axpy(Number(lambda: bases.append(x.base)), x, np.ones(SIZE))
        assert dot(x, x) == SIZE
    bases.clear()
    assert dot(x, x) == SIZE


def test_an_array_may_be_dropped_while_an_exception_is_set():
    def owned_by_another():
        x, bases = np.ones(SIZE), []
        axpy(Number(lambda: bases.append(x.base)), x, np.ones(SIZE))
        return x

    for _ in range(3):
        with pytest.raises(IndexError, match="valid indices"):
            operator.getitem(owned_by_another(), "no index")


def test_memory_that_was_exchanged_is_freed():
    tracemalloc.start()
    try:
        y = np.ones(SIZE)
        before = None
        for _ in range(20):
            x = np.ones(SIZE)
            axpy(Number(lambda x=x: with_setstate(x)), x, y)
            del x
            before = before or tracemalloc.get_traced_memory()[0]
        assert tracemalloc.get_traced_memory()[0] - before < SIZE
    finally:
        tracemalloc.stop()


def test_a_bytearray_is_not_resized_during_a_call():
    owner = bytearray(np.ones(SIZE).tobytes())
    x = np.ndarray(SIZE, "f8", owner)
    with pytest.raises(BufferError):
        axpy(Number(owner.clear), x, np.ones(SIZE))
    owner.clear()  # and after it can be


def test_a_file_is_not_unmapped_during_a_call():
    file = mmap.mmap(-1, 8 * SIZE)
    x = np.ndarray(SIZE, "f8", file)
    with pytest.raises(BufferError):
        axpy(Number(file.close), x, np.ones(SIZE))
    del x
    file.close()
