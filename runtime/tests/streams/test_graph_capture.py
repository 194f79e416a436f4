"""CUDA graphs: calls are captured or refused, and their memory is retained as long as a graph exists."""

import weakref

import numpy as np
import pytest
from exporters import CudaArrayInterface
from graphs import becomes_true, captured
from package import axpy, cuvec, dot, smooth

pytestmark = pytest.mark.gpu
N = 1000


@pytest.fixture
def y(stream):
    """Return an array, after calls that load modules."""
    array = cuvec.zeros(N)
    axpy(0, smooth(cuvec.ones(N), stream=stream), array, stream=stream)
    dot(array, array)
    cuvec.dev_sync()
    array[:] = 0
    return array


def add_twos(y, stream):
    """Add 2 to `y`, through temporary arrays and results."""
    axpy(1, smooth(cuvec.full(N, 2), stream=stream), y, stream=stream)


def test_memory_is_not_recycled_as_long_as_the_graph_exists(y, stream):
    with captured(stream, lambda: add_twos(y, stream)) as replay:
        assert replay
        for times in range(1, 4):
            cuvec.empty_cache()
            others = [cuvec.full(N, 99) for _ in range(100)]
            results = [smooth(other, stream=stream) for other in others]
            cuvec.dev_sync()
            replay()
            cuvec.dev_sync()
            np.testing.assert_array_equal(y, np.full(N, 2 * times))
            assert all((it == 99).all() for it in [*others, *results])


def test_memory_is_released_with_the_graph(y, stream):
    before = cuvec.memory_stats().used
    with captured(stream, lambda: add_twos(y, stream)) as replay:
        cuvec.dev_sync()
        assert replay
        assert cuvec.memory_stats().used > before
    assert becomes_true(lambda: cuvec.memory_stats().used == before)


def test_arrays_of_other_libraries_are_retained_as_long_as_the_graph_exists(y, stream):
    weak = []

    def calls():
        x = CudaArrayInterface(cuvec.ones(N))
        axpy(1, x, y, stream=stream)
        weak.append(weakref.ref(x))

    def is_gone():
        axpy(0, y, cuvec.zeros(N))  # releases what is no longer used
        return weak[0]() is None

    with captured(stream, calls) as replay:
        assert replay
        for times in range(1, 4):
            replay()
            cuvec.dev_sync()
            assert (y == times).all()
            assert not is_gone()
    assert becomes_true(is_gone)


REFUSED = {
    "scalar result": ("out=", lambda y, stream: dot(y, y, stream=stream)),
    "host array": ("asarray", lambda y, stream: axpy(1, np.ones(N, "f4"), y, stream=stream)),
}


@pytest.mark.parametrize("call", REFUSED)
def test_synchronous_calls_are_refused(call, y, stream):
    """And the capture continues."""
    hint, refused = REFUSED[call]
    x = cuvec.ones(N)

    def calls():
        with pytest.raises(RuntimeError, match=f"graph is being recorded.*{hint}"):
            refused(y, stream)
        axpy(1, x, y, stream=stream)

    with captured(stream, calls) as replay:
        assert replay
        replay()
        cuvec.dev_sync()
        assert (y == 1).all()
    refused(y, stream)
