"""Work on the GPU does not change the current CUDA context of a thread."""

import ctypes
import sys
import threading

import pytest
from exporters import CudaArrayInterface, Dlpack
from package import axpy, cuvec, dot

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(sys.platform != "linux", reason="the driver has another name"),
]


def contexts_around(function):
    """Return the current context of a new thread before and after a function."""
    driver = ctypes.CDLL("libcuda.so.1")
    seen = []

    def current():
        context = ctypes.c_void_p()
        assert driver.cuCtxGetCurrent(ctypes.byref(context)) == 0
        return context.value

    def run():
        before = current()
        function()
        seen.append((before, current()))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return seen


@pytest.mark.parametrize("kind", [Dlpack, CudaArrayInterface])
def test_the_first_array_of_another_library(kind):
    x = kind(cuvec.ones(1000))
    assert contexts_around(lambda: dot(x, x)) == [(None, None)]


@pytest.mark.parametrize("work", [axpy, dot], ids=lambda function: function.__name__)
def test_calls(work):
    arrays = cuvec.ones(1000), cuvec.ones(1000)
    arguments = (2, *arrays) if work is axpy else arrays
    assert contexts_around(lambda: work(*arguments)) == [(None, None)]


def test_freeing_an_array_that_was_migrated():
    arrays = [cuvec.ones(1 << 20)]
    arrays[0].prefetch("device")
    assert contexts_around(arrays.clear) == [(None, None)]
