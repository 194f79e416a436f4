"""Migration of managed memory between host and GPU, which must not change any value."""

import sys

import native
import numpy as np
import pytest
from package import axpy, cuvec, dot, rotate

SIZE = 1 << 18  # 1 MiB: large enough to be migrated
CALLS = 100

needs_residency = pytest.mark.skipif(
    sys.platform != "linux", reason="memory is migrated only on request"
)


@pytest.mark.parametrize("hint", [None, "device", "host"])
@pytest.mark.parametrize("every", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("size", [1, 1024, SIZE])
def test_host_and_gpu_take_turns(size, every, hint):
    x, y = cuvec.zeros(size), cuvec.zeros(size)
    if hint is not None:
        x.prefetch(hint)
        y.prefetch(hint)
    total = 0
    for call in range(CALLS):
        if call % every == 0:
            x[:] = call
        axpy(1, x, y)
        total += call - call % every
        if call % every == 0:
            np.testing.assert_array_equal(y, np.full(size, total))
    np.testing.assert_array_equal(y, np.full(size, total))


@pytest.mark.parametrize("element", [0, SIZE // 2, SIZE - 1])
def test_a_single_element_from_the_host(element):
    x, y = cuvec.ones(SIZE), cuvec.zeros(SIZE)
    for call in range(CALLS):
        y[element] = 0
        axpy(1, x, y)
        assert y[element] == 1
        assert y[(element + 1) % SIZE] == call + 1


def test_hints_in_the_middle():
    x, y = cuvec.ones(SIZE), cuvec.zeros(SIZE)
    for call in range(CALLS):
        y[: SIZE // 2].prefetch("device" if call % 2 else "host")
        axpy(1, x, y)
    assert dot(x, y) == SIZE * CALLS


def test_migrated_memory_is_recycled():
    for value in range(20):
        x, y = cuvec.full(SIZE, value), cuvec.zeros(SIZE)
        for _ in range(5):
            axpy(1, x, y)
        np.testing.assert_array_equal(y, np.full(SIZE, 5 * value))


@pytest.mark.gpu
@needs_residency
def test_the_third_consecutive_call_migrates_memory():
    x, y = cuvec.ones(SIZE), cuvec.zeros(SIZE)
    places = []
    for _ in range(4):
        axpy(1, x, y)
        places.append(native.preferred_gpu(y))
    gpu = cuvec.device().index
    assert places == [-1, -1, gpu, gpu]


@pytest.mark.gpu
@needs_residency
def test_an_array_that_is_both_arguments_is_used_once():
    x = cuvec.ones(SIZE)
    places = []
    for _ in range(4):
        dot(x, x)
        places.append(native.preferred_gpu(x))
    gpu = cuvec.device().index
    assert places == [-1, -1, gpu, gpu]


@pytest.mark.gpu
@needs_residency
def test_access_by_the_host_migrates_memory_back():
    x, y = cuvec.ones(SIZE), cuvec.zeros(SIZE)
    for _ in range(4):
        axpy(1, x, y)
    y += 1
    axpy(1, x, y)
    assert (native.preferred_gpu(x), native.preferred_gpu(y)) == (cuvec.device().index, -1)
    assert (y == 6).all()


def calls_until_migration(x, call):
    """Return after how many calls an array is migrated to the GPU, at most 99."""
    for number in range(1, 100):
        call()
        if native.preferred_gpu(x) == cuvec.device().index:
            return number
    return None


@pytest.mark.gpu
@needs_residency
@pytest.mark.parametrize("bytes_", [4, 400, 4096, 100_000])
@pytest.mark.parametrize("synchronous", [True, False])
def test_small_arrays_are_migrated_after_more_calls(bytes_, synchronous, stream):
    x, y = cuvec.ones(bytes_ // 4), cuvec.zeros(bytes_ // 4)
    assert (
        calls_until_migration(y, lambda: axpy(1, x, y, stream=None if synchronous else stream))
        == 33
    )
    cuvec.dev_sync()
    assert (y == 33).all()


@pytest.mark.gpu
@needs_residency
def test_a_small_array_next_to_a_large_one_is_migrated_earlier():
    turn = cuvec.asarray([[0, 1, 0], [1, 0, 0], [0, 0, 1]], "f4")
    points = cuvec.zeros((SIZE, 3))
    assert calls_until_migration(turn, lambda: rotate(turn, points)) == 9


@pytest.mark.gpu
@needs_residency
def test_small_arrays_that_the_host_writes_are_not_migrated():
    x, y = cuvec.ones(1024), cuvec.zeros(1024)
    for call in range(200):
        y[:] = 2 * call  # not the result of the last call
        axpy(1, x, y)
        assert native.preferred_gpu(y) == -1
        assert (y == 2 * call + 1).all()


@pytest.mark.gpu
@needs_residency
def test_neighbours_of_a_small_array_are_not_migrated():
    arrays = [cuvec.ones(1024) for _ in range(20)]
    assert calls_until_migration(arrays[10], lambda: dot(arrays[10], arrays[10])) == 33
    others = [x for x in arrays if x is not arrays[10]]
    assert {native.preferred_gpu(x) for x in others} == {-1}


@pytest.mark.gpu
@needs_residency
def test_a_small_array_that_the_host_accessed_is_migrated_back():
    x, y = cuvec.ones(1024), cuvec.zeros(1024)
    for _ in range(40):
        axpy(1, x, y)
    y += 1
    axpy(1, x, y)
    gpu = cuvec.device().index
    assert (native.preferred_gpu(x), native.preferred_gpu(y)) == (gpu, -1)
    assert (y == 42).all()
