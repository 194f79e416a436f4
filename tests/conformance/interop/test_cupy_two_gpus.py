"""CuPy: arrays on a GPU that is not the thread's."""

import importlib

import cupy
import numpy as np
import pytest
from package import NAME

pytestmark = pytest.mark.gpu


@pytest.mark.library("dask")
def test_chunks_stay_on_their_gpu():
    gufuncs = importlib.import_module(f"{NAME}.dask")
    array = importlib.import_module("dask.array")
    with cupy.cuda.Device(1):
        x = cupy.arange(6, dtype="f4").reshape(2, 3)
        # Dask copies an array that it is given, to the thread's GPU.
        rows, row = (array.from_array(it, chunks=it.shape) for it in (x, x[0]))
    expected = cupy.asnumpy(x)
    for device, result, values in (
        (0, gufuncs.axpy(2, rows, rows), 3 * expected),
        # Dask concatenates what is one chunk of each dimension of the function's own, on the thread's GPU.
        (1, gufuncs.gemv(rows, row, beta=0), expected @ expected[0]),
    ):
        (chunk,) = result.to_delayed().flat  # for `compute` copies what it returns as well
        with cupy.cuda.Device(device):
            found = chunk.compute(scheduler="sync")
        assert (type(found), found.device.id) == (cupy.ndarray, 1)
        np.testing.assert_array_equal(cupy.asnumpy(found), values)
