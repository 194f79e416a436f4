"""Two GPUs in one process."""

import threading

import numpy as np
import pytest
from package import axpy, cuvec, dot, gemv, iota, smooth

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def first_gpu_again():
    yield
    cuvec.dev_set(0)


def on_gpu(index, value=1.0):
    cuvec.dev_set(index)
    return cuvec.full(1000, value)


def test_arrays_are_on_the_gpu_that_is_set():
    for index in (0, 1):
        x = on_gpu(index)
        assert cuvec.device().index == index
        assert x.cuvec.device == index
        assert x.__dlpack_device__() == (2, index)


def test_functions_run_where_the_arrays_are():
    x, y = on_gpu(1), on_gpu(1)
    cuvec.dev_set(0)
    axpy(2, x, y)
    assert (y == 3).all()
    assert dot(x, y) == 3000


def test_arrays_on_two_gpus_are_refused():
    x, y = on_gpu(0), on_gpu(1)
    for call in (lambda: axpy(1, x, y), lambda: dot(x, y)):
        with pytest.raises(ValueError, match="two devices"):
            call()
    assert (y == 1).all()


def test_results_are_on_the_gpu_of_the_arguments():
    x = on_gpu(1, 2.0)
    cuvec.dev_set(0)
    y = smooth(x)
    assert y.cuvec.device == 1
    assert (y == 2).all()
    assert gemv(on_gpu(0).reshape(1, -1), np.ones(1000, "f4")).cuvec.device == 0


def test_functions_without_arrays_run_on_the_gpu_that_is_set():
    for index in (1, 0):
        cuvec.dev_set(index)
        y = iota(1000, start=0)
        assert y.cuvec.device == index
        assert y[999] == -999


def test_results_on_another_gpu_are_refused():
    x, out = on_gpu(0), on_gpu(1, 7.0)
    with pytest.raises(ValueError, match="two devices"):
        smooth(x, out=out)
    assert (out == 7).all()


def test_each_thread_has_its_own_gpu():
    cuvec.dev_set(1)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(cuvec.device().index))
    thread.start()
    thread.join()
    assert seen == [0]
    assert cuvec.device().index == 1
