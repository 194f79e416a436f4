"""The address in a kernel is the address in Python."""

import numpy as np
import pytest
from package import address, cuvec


@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_a_kernel_reports_the_address(memory):
    x = cuvec.zeros((4, 6), memory=memory)
    for view in (x, x[1:3], x[2, 3:], x.reshape(-1)[5:]):
        assert address(view) == view.ptr == int(view.pointer())
    assert address(x.cuvec) == x.cuvec.ptr == x.ptr


def test_addresses_of_slices_count_bytes():
    x = cuvec.zeros((4, 6), "float64")
    assert x[1, 2:].ptr == x.ptr + (6 + 2) * 8
    assert x[::-1].ptr == x.ptr + 3 * 6 * 8


@pytest.mark.gpu
def test_kernels_see_a_copy_of_plain_arrays():
    x = np.zeros(3, "f4")
    assert address(x) not in (0, x.ctypes.data)


@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_arrays_of_every_dtype(dtype):
    x = cuvec.zeros(3, dtype)
    assert address(x) == x.ptr
