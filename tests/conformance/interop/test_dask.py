"""Dask: arrays as chunks, in threads and in processes."""

import dask
import dask.array
import numpy as np
import pytest
from machine import needs_pools
from package import cuvec, dot


@pytest.fixture
def x():
    return cuvec.asarray(np.arange(40.0).reshape(4, 10))


@pytest.mark.parametrize("scheduler", ["sync", "threads"])
def test_arrays_are_chunks(x, scheduler):
    chunks = dask.array.from_array(x, chunks=(2, 5))
    with dask.config.set(scheduler=scheduler):
        np.testing.assert_array_equal((chunks + 1).compute(), x + 1)
        assert chunks.sum().compute() == x.sum()


def test_chunks_are_cuvec_arrays(x):
    chunks = dask.array.from_array(x, chunks=(2, 5))
    with dask.config.set(scheduler="sync"):
        assert type(chunks.blocks[0, 0].compute()) is cuvec.CuVec


@pytest.mark.parametrize("make", [cuvec.asarray, cuvec.copy])
def test_lazy_arrays_are_computed_once(make):
    computed = []

    def block(numbers):
        computed.append(numbers)
        return numbers + 1

    ones = dask.array.ones(4, chunks=4).map_blocks(block, meta=np.empty(0))
    with dask.config.set(scheduler="sync"):
        assert make(ones).tolist() == [2, 2, 2, 2]
    assert len(computed) == 1


PROCESSES = pytest.param("processes", marks=needs_pools)


@pytest.mark.parametrize("scheduler", ["sync", "threads", PROCESSES])
def test_functions_are_tasks(x, scheduler):
    tasks = [dask.delayed(dot)(row, row) for row in x]
    expected = [dot(row, row) for row in x]
    assert list(dask.compute(*tasks, scheduler=scheduler)) == expected


def test_tokens_follow_the_values(x):
    token = dask.base.tokenize(x)
    assert dask.base.tokenize(x.copy()) == token
    x[0, 0] = -1
    assert dask.base.tokenize(x) != token
