"""Pickling, in band, out of band and to other processes."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from machine import needs_pools
from package import axpy, cuvec, dot

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def arrays(memory):
    x = cuvec.asarray(np.arange(24, dtype="f4").reshape(4, 6), memory=memory)
    return [x, x[1:3], x.T, x[::-1, ::2], x[:0], x[0, :1].reshape(()), x.view("c8")]


def assert_same(y, x):
    assert type(y) is cuvec.CuVec
    assert (y.dtype, y.memory) == (x.dtype, x.memory)
    assert not np.shares_memory(x, y)
    np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_round_trip(protocol, memory):
    for x in arrays(memory):
        assert_same(pickle.loads(pickle.dumps(x, protocol)), x)


@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_every_dtype(dtype):
    x = cuvec.ones((2, 3), dtype)
    assert_same(pickle.loads(pickle.dumps(x)), x)


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("to_bytes", [bytes, bytearray, lambda buffer: buffer])
def test_out_of_band(to_bytes, memory):
    for x in arrays(memory):
        buffers = []
        data = pickle.dumps(x, 5, buffer_callback=buffers.append)
        received = [to_bytes(buffer) for buffer in buffers]
        assert_same(pickle.loads(data, buffers=received), x)


def test_out_of_band_data_shares_the_memory():
    x = cuvec.ones(100_000)
    buffers = []
    data = pickle.dumps(x, 5, buffer_callback=buffers.append)
    assert len(data) < 1000
    assert np.shares_memory(np.frombuffer(buffers[0], "f4"), x)


def test_the_order_of_axes_is_preserved():
    x = cuvec.ones((4, 6)).T
    assert pickle.loads(pickle.dumps(x)).flags.f_contiguous


def test_functions_are_pickled_by_name():
    assert pickle.loads(pickle.dumps((axpy, dot))) == (axpy, dot)


@needs_pools
@pytest.mark.parametrize("method", sorted({*multiprocessing.get_all_start_methods()} - {"fork"}))
def test_a_pool_sends_arrays_and_calls_functions(method):
    x = cuvec.asarray(np.arange(1000.0), memory="pinned")
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.apply(dot, (x, x)) == dot(x, x)
        y = pool.apply(copy.copy, (x,))
    assert (type(y), y.memory) == (cuvec.CuVec, "pinned")
    np.testing.assert_array_equal(x, y)
