"""Where new results begin, which must not change any value."""

import sys

import native
import numpy as np
import pytest
from package import cube, cuvec, dot, histogram

SIZE = 1 << 18  # 1 MiB: large enough to be migrated

needs_residency = pytest.mark.skipif(
    sys.platform != "linux", reason="memory is migrated only on request"
)


def values(number):
    return np.full(SIZE, number, "float32")


@pytest.mark.parametrize("hint", ["device", "host"])
def test_the_host_and_calls_use_results_in_turns(hint):
    for number in range(60):
        x = cuvec.asarray(values(number % 5))
        x.prefetch(hint)
        y = cube(x)
        if number % 3:
            y[0] = 1
        if number % 7:
            assert cube(y)[SIZE - 1] == (number % 5) ** 9
        if number % 2:
            np.testing.assert_array_equal(y[1:], values((number % 5) ** 3)[1:])


def places_of_results(use):
    """Where 300 results of arguments on the GPU begin, each of which is used."""
    x = cuvec.ones(SIZE)
    x.prefetch("device")
    places = []
    for _ in range(300):
        y = cube(x)
        places.append(native.preferred_gpu(y))
        use(y)
    return places


@pytest.mark.gpu
@needs_residency
def test_results_that_calls_use_begin_on_the_gpu():
    def call(y):
        assert dot(y, y) == SIZE

    assert set(places_of_results(call)[-100:]) == {cuvec.device().index}


@pytest.mark.gpu
@needs_residency
def test_results_that_the_host_reads_mostly_begin_there():
    places = places_of_results(lambda y: np.testing.assert_array_equal(y, values(1)))
    assert 0 < sum(place >= 0 for place in places) < 15


def added(size, **ordered):
    """The first call shows that kernels add to the result, and the next ones have it elsewhere."""
    numbers = np.arange(size) % 10
    x = cuvec.asarray(numbers.astype("float32"))
    results = [histogram(x, 10, low=0, high=10, **ordered) for _ in range(3)]
    cuvec.dev_sync()
    for counts in results:
        np.testing.assert_array_equal(counts, np.bincount(numbers))


@pytest.mark.parametrize("size", [1000, SIZE])
def test_small_results_that_kernels_add_to(size):
    added(size)


@pytest.mark.gpu
@pytest.mark.parametrize("size", [1000, SIZE])
def test_small_results_that_kernels_add_to_on_a_stream(size):
    with native.new_stream() as stream:
        added(size, stream=stream)
