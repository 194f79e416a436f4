"""CUDA graphs: calls are recorded or refused, and their memory is theirs as long as a graph lives."""

import weakref

import numpy as np
import pytest
from exporters import CudaArrayInterface
from graphs import comes_true, replayed
from package import axpy, cuvec, dot, smooth

pytestmark = pytest.mark.gpu
N = 1000


@pytest.fixture
def y(stream):
    """Make an array, after calls that load what is needed."""
    array = cuvec.zeros(N)
    axpy(0, smooth(cuvec.ones(N), stream=stream), array, stream=stream)
    dot(array, array)
    cuvec.dev_sync()
    array[:] = 0
    return array


def add_twos(y, stream):
    """Add 2 to `y`, from an array and through a result that nobody holds."""
    axpy(1, smooth(cuvec.full(N, 2), stream=stream), y, stream=stream)


def test_memory_is_not_recycled_as_long_as_the_graph_lives(y, stream):
    with replayed(stream, lambda: add_twos(y, stream)) as replay:
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


def test_memory_comes_back_when_the_graph_is_gone(y, stream):
    before = cuvec.memory_stats().used
    with replayed(stream, lambda: add_twos(y, stream)) as replay:
        cuvec.dev_sync()
        assert replay
        assert cuvec.memory_stats().used > before
    assert comes_true(lambda: cuvec.memory_stats().used == before)


def test_arrays_of_others_are_there_as_long_as_the_graph_lives(y, stream):
    kept = []

    def record():
        x = CudaArrayInterface(cuvec.ones(N))
        axpy(1, x, y, stream=stream)
        kept.append(weakref.ref(x))

    def is_gone():
        axpy(0, y, cuvec.zeros(N))  # lets go
        return kept[0]() is None

    with replayed(stream, record) as replay:
        assert replay
        for times in range(1, 4):
            replay()
            cuvec.dev_sync()
            assert (y == times).all()
            assert not is_gone()
    assert comes_true(is_gone)


REFUSED = {
    "number": ("out=", lambda y, stream: dot(y, y, stream=stream)),
    "array of the host": ("asarray", lambda y, stream: axpy(1, np.ones(N, "f4"), y, stream=stream)),
}


@pytest.mark.parametrize("call", REFUSED)
def test_what_would_be_waited_for_is_refused(call, y, stream):
    """And the recording goes on."""
    way_out, refused = REFUSED[call]
    x = cuvec.ones(N)

    def record():
        with pytest.raises(RuntimeError, match=f"graph is being recorded.*{way_out}"):
            refused(y, stream)
        axpy(1, x, y, stream=stream)

    with replayed(stream, record) as replay:
        assert replay
        replay()
        cuvec.dev_sync()
        assert (y == 1).all()
    refused(y, stream)
