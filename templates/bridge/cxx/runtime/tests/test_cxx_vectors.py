"""`host::CuVec`: vectors of C++ in memory that Rust allocates, and functions that C++ calls."""

import gc

import numpy as np
import pytest
from package import address, axpy, core, cuvec


@pytest.mark.parametrize("n", [0, 1, 10, 1_000_000])
def test_a_vector_of_cpp_becomes_an_array_without_a_copy(n):
    block = core._crossings.count_up(n)
    x = cuvec.asarray(block)
    assert (x.shape, x.dtype, x.memory) == ((n,), np.dtype("float32"), "managed")
    assert x.ptr == block.ptr
    np.testing.assert_array_equal(x, np.arange(n, dtype="float32"))


def test_kernels_see_the_address_of_the_vector():
    block = core._crossings.count_up(10)
    assert address(block) == block.ptr


def test_functions_take_the_memory_of_vectors():
    x = cuvec.asarray(core._crossings.count_up(1000))
    axpy(2, cuvec.ones(1000), x)
    np.testing.assert_array_equal(x, np.arange(1000, dtype="float32") + 2)


@pytest.mark.usefixtures("no_garbage")
def test_the_memory_goes_back_to_the_pool():
    before = cuvec.memory_stats().used
    block = core._crossings.count_up(100_000)
    assert cuvec.memory_stats().used > before
    del block
    gc.collect()
    assert cuvec.memory_stats().used == before
    core._crossings.call_with_cuvecs(axpy.__name__, 1, [1.0] * 1000)
    assert cuvec.memory_stats().used == before


@pytest.mark.parametrize(
    "call", [core._crossings.call_with_cuvecs, core._crossings.call_with_vectors]
)
@pytest.mark.parametrize("n", [0, 1, 100, 100_000])
def test_cpp_calls_functions_on_any_vector(call, n):
    x = np.arange(n) % 8
    assert call(axpy.__name__, 3, x.astype("f4").tolist()) == (3 * x).tolist()


@pytest.mark.parametrize("n", [1 << 50, 1 << 62])
def test_vectors_that_are_too_long_raise(n):
    with pytest.raises((MemoryError, ValueError)):
        core._crossings.count_up(n)
