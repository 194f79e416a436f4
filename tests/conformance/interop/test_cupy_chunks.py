"""CuPy: its arrays as chunks of Dask's."""

import importlib

import cupy
import numpy as np
import pytest
from package import NAME

pytestmark = [pytest.mark.gpu, pytest.mark.library("dask")]


@pytest.fixture
def gufuncs():
    return importlib.import_module(f"{NAME}.dask")


def chunked(array, *chunks):
    return importlib.import_module("dask.array").from_array(array, chunks=chunks)


def check(found, expected):
    """Compare what is calculated with an array of NumPy's, and its kind with what Dask takes it for."""
    assert type(found._meta) is cupy.ndarray
    assert found.dtype == found._meta.dtype
    chunks = found.compute(scheduler="sync")
    assert (type(chunks), chunks.dtype) == (cupy.ndarray, found.dtype)
    np.testing.assert_allclose(cupy.asnumpy(chunks), expected, rtol=1e-5)


def test_results_are_cupys(gufuncs):
    a, x = np.random.default_rng(3).random((4, 5, 3)), np.arange(3.0)
    on_gpu = chunked(cupy.asarray(a), 2, 5, 3)
    check(gufuncs.gemv(on_gpu, cupy.asarray(x), beta=0), a @ x)
    check(gufuncs.gemv(on_gpu, x, beta=0), a @ x)
    check(gufuncs.gemv(chunked(a, 2, 5, 3), cupy.asarray(x), beta=0), a @ x)
    check(gufuncs.power(chunked(cupy.full(4, 3 + 4j), 2)), [25] * 4)


def test_no_chunk_is_written(gufuncs):
    x, y = cupy.arange(6, dtype="f4").reshape(2, 3), cupy.ones((2, 3), "f4")
    check(gufuncs.axpy(2, chunked(x, 1, 3), y), 2 * cupy.asnumpy(x) + 1)
    assert bool((y == 1).all())
    check(gufuncs.axpy(2, chunked(x, 1, 3), np.ones((2, 3), "f4")), 2 * cupy.asnumpy(x) + 1)
    with pytest.raises(ValueError, match=r"y is written and must have shape \(2, 3\), not \(3,\)"):
        gufuncs.axpy(2, chunked(x, 1, 3), y[0])


def test_several_results(gufuncs):
    less, more, _, size = gufuncs.pieces(chunked(cupy.arange(20, dtype="i4").reshape(4, 5), 2, 5))
    check(less, np.ones((4, 4)))
    assert more.shape == (4, 11)
    check(size, [5] * 4)
