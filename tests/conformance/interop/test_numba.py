"""Numba: its kernels on our arrays, and its arrays in our functions."""

import numba.cuda
import numpy as np
import pytest
from package import axpy, cuvec, dot

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("dtype", "bBhHiIqQfdFD")
def test_numba_shares_our_memory(dtype, memory):
    x = cuvec.ones((4, 6), dtype, memory)
    for view in (x, x[1:3], x[::2, ::3], x.T):
        y = numba.cuda.as_cuda_array(view)
        address = y.__cuda_array_interface__["data"][0]
        assert (address, y.shape, y.strides, y.dtype) == (
            view.ptr,
            view.shape,
            view.strides,
            view.dtype,
        )


@numba.cuda.jit
def double(x, y):
    i = numba.cuda.grid(1)
    if i < x.size:
        y[i] = 2 * x[i]


@pytest.mark.filterwarnings("ignore")  # Numba's opinion of grids this small
def test_a_kernel_of_numbas_works_on_our_arrays():
    x, y = cuvec.asarray(np.arange(100, dtype="f4")), cuvec.zeros(100)
    double[1, 128](numba.cuda.as_cuda_array(x), numba.cuda.as_cuda_array(y))
    numba.cuda.synchronize()
    np.testing.assert_array_equal(y, 2 * x)


def test_functions_work_on_numbas_arrays_in_place():
    x = numba.cuda.to_device(np.arange(1000, dtype="f4"))
    y = numba.cuda.to_device(np.ones(1000, "f4"))
    axpy(2, x, y)
    np.testing.assert_array_equal(y.copy_to_host(), 2 * np.arange(1000) + 1)
    assert dot(x, x) == sum(i * i for i in range(1000))


def test_numbas_arrays_are_copied_by_asarray():
    y = cuvec.asarray(numba.cuda.to_device(np.arange(6).reshape(2, 3)))
    assert (type(y), y.dtype) == (cuvec.CuVec, np.int64)
    np.testing.assert_array_equal(y, [[0, 1, 2], [3, 4, 5]])
