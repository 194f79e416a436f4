"""CuPy: arrays in and out, without a copy."""

import cupy
import numpy as np
import pytest
from native import gate_that_opens
from package import axpy, cuvec, dot, gemv, smooth

pytestmark = pytest.mark.gpu
VIEWS = {
    "whole": lambda x: x,
    "slice": lambda x: x[1:3],
    "steps": lambda x: x[::2, ::3],
    "backwards": lambda x: x[::-1],
    "transpose": lambda x: x.T,
}


@pytest.fixture(autouse=True)
def first_gpu():
    """Use the first of several GPUs; other libraries may leave another one current."""
    with cupy.cuda.Device(0):
        yield


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
@pytest.mark.parametrize("convert", [cupy.asarray, cupy.from_dlpack])
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_cupy_shares_our_memory(view, convert, dtype, memory):
    x = view(cuvec.ones((4, 6), dtype, memory))
    y = convert(x)
    assert (y.data.ptr, y.shape, y.strides, y.dtype) == (x.ptr, x.shape, x.strides, x.dtype)
    y[...] = 0
    cupy.cuda.get_current_stream().synchronize()
    assert not x.any()


@pytest.mark.parametrize("convert", [cupy.asarray, cupy.from_dlpack])
def test_cupy_keeps_the_memory_alive(convert):
    y = convert(cuvec.full(1000, 7))
    cuvec.zeros(1000)
    assert bool((y == 7).all())


def test_functions_work_on_cupys_arrays_in_place():
    x, y = cupy.arange(1000, dtype="f4"), cupy.ones(1000, "f4")
    address = y.data.ptr
    axpy(2, x, y)
    assert y.data.ptr == address
    np.testing.assert_array_equal(cupy.asnumpy(y), 2 * np.arange(1000) + 1)
    assert dot(x, x) == sum(i * i for i in range(1000))


def test_cupys_arrays_and_others_mix():
    x, y, plain = cupy.ones(10, "f4"), cuvec.zeros(10), np.zeros(10, "f4")
    axpy(1, x, y)
    axpy(2, y, x)
    axpy(1, x, plain)
    np.testing.assert_array_equal(plain, np.full(10, 3))


def test_results_are_cupys_arrays():
    a, x = cupy.ones((30, 40), "f4"), cupy.arange(40, dtype="f4")
    y = gemv(a, x, beta=0)
    assert (type(y), y.dtype, y.device) == (cupy.ndarray, a.dtype, a.device)
    np.testing.assert_array_equal(cupy.asnumpy(y), [780] * 30)
    assert type(smooth(x)) is cupy.ndarray
    assert type(gemv(cuvec.ones((30, 40)), x)) is cupy.ndarray
    with cupy.cuda.Stream(non_blocking=True) as stream:
        y = smooth(cupy.ones(1000, "f4"), stream=stream)
        assert float((2 * y).sum()) == 2000


@pytest.mark.parametrize("source", [None, cupy.cuda.malloc_managed], ids=["device", "managed"])
def test_results_are_in_memory_of_cupys_pool(source):
    pool = cupy.cuda.MemoryPool(source)
    with cupy.cuda.using_allocator(pool.malloc):
        x = cupy.ones(1 << 20, "f4")
        y = smooth(x)
        assert pool.used_bytes() == x.nbytes + y.nbytes
        assert float(y.sum()) == x.size
    del x, y
    assert pool.used_bytes() == 0


def test_cupys_arrays_are_out():
    x, y, total = cupy.ones(1000, "f4"), cupy.zeros(1000, "f4"), cupy.zeros((), "f8")
    assert smooth(x, out=y) is y
    assert dot(x, y, out=total) is total
    assert float(total) == 1000
    with pytest.raises(ValueError, match="overlap"):
        smooth(x, out=x)


def test_results_are_written_on_cupys_current_stream():
    with cupy.cuda.Stream(non_blocking=True) as stream:
        x, y = cupy.zeros(1 << 20, "f4"), cupy.zeros(1 << 20, "f4")
        for _ in range(100):
            x += 1
        smooth(x, out=y, stream=stream)
        total = y.sum()
        stream.synchronize()
    assert float(total) == 100 * (1 << 20)


@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_cupys_arrays_are_copied_by_asarray(dtype):
    x = cupy.ones((2, 3), dtype)
    y = cuvec.asarray(x)
    assert (type(y), y.dtype) == (cuvec.CuVec, x.dtype)
    np.testing.assert_array_equal(y, cupy.asnumpy(x))


def test_cupys_strided_arrays_are_read():
    for x in (cupy.arange(12, dtype="f4")[::2], cupy.arange(6, dtype="f4").reshape(2, 3).T):
        assert dot(x, x) == float((x * x).sum())
        y = cupy.zeros(x.shape, "f4")
        axpy(2, x, y)
        np.testing.assert_array_equal(cupy.asnumpy(y), cupy.asnumpy(2 * x))
        expected = x + 2 * y
        axpy(2, y, x)
        np.testing.assert_array_equal(cupy.asnumpy(x), cupy.asnumpy(expected))
        with pytest.raises(ValueError, match="contiguous"):
            cuvec.asarray(x)


def test_cupys_arrays_are_broadcast():
    a, x = cupy.ones((4, 1, 2, 3), "f4"), cupy.arange(15, dtype="f4").reshape(5, 3)
    expected = cupy.einsum("abmn,xn->axm", a, x)
    np.testing.assert_array_equal(cupy.asnumpy(gemv(a, x, beta=0)), cupy.asnumpy(expected))
    y = cupy.ones((5, 3), "f4")
    axpy(1, x[2], y)
    np.testing.assert_array_equal(
        cupy.asnumpy(y), 1 + cupy.asnumpy(cupy.broadcast_to(x[2], (5, 3)))
    )


def test_calls_on_cupys_streams():
    with cupy.cuda.Stream(non_blocking=True) as stream:
        x, y = cupy.ones(1 << 20, "f4"), cupy.zeros(1 << 20, "f4")
        for _ in range(10):
            x *= 2
            axpy(1, x, y, stream=stream)
            x /= 2
        total = y.sum()
        stream.synchronize()
    assert float(total) == 20 * (1 << 20)


def test_calls_wait_for_cupys_current_stream():
    with cupy.cuda.Stream(non_blocking=True):
        x, y = cupy.zeros(1 << 20, "f4"), cuvec.zeros(1 << 20)
        for _ in range(100):
            x += 1
            axpy(1, x, y)
    assert (y == 5050).all()


def test_calls_on_another_stream_come_after_cupys_work(stream):
    with cupy.cuda.Stream(non_blocking=True):
        y = cuvec.zeros(1 << 20)
        for value in range(1, 101):
            axpy(1, cupy.full(1 << 20, value, "f4"), y, stream=stream)
    cuvec.dev_sync()
    assert (y == 5050).all()


def test_cupys_memory_is_not_reused_while_a_call_uses_it(stream):
    with cupy.cuda.Stream(non_blocking=True) as its:
        y = cuvec.zeros(1000)
        axpy(0, cupy.ones(1000, "f4"), y, stream=stream)
        cuvec.dev_sync()
        with gate_that_opens(stream):
            axpy(1, cupy.full(1000, 3, "f4"), y, stream=stream)
            others = [cupy.full(1000, 99, "f4") for _ in range(10)]
            its.synchronize()
            cuvec.dev_sync()
    assert (y == 3).all()
    assert all(bool((other == 99).all()) for other in others)


@pytest.mark.parametrize("handle", [0, 1])
def test_the_default_stream_is_cupys_by_both_its_handles(handle):
    with cupy.cuda.Stream.null:
        x, y = cupy.zeros(1 << 20, "f4"), cupy.zeros(1 << 20, "f4")
        for _ in range(10):
            x += 1
            axpy(1, x, y, stream=handle)
        assert bool((y == 55).all())


class Streamless:
    """CuPy's array, by an interface without a stream, as PyCUDA's and Numba's."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__ | {"stream": None}


@pytest.mark.parametrize("read", [cuvec.asarray, lambda x: dot(x, np.ones(1 << 20, "f4")) / 2**20])
def test_calls_wait_for_the_default_stream_if_none_is_given(read):
    with cupy.cuda.Stream.null:
        x = cupy.zeros(1 << 20, "f4")
        for _ in range(100):
            x += 1
        y = read(Streamless(x))
    np.testing.assert_array_equal(y, 100)


def test_a_kernel_of_cupys_reads_our_arrays():
    x, y = cuvec.asarray(np.arange(10, dtype="f4")), cuvec.zeros(10)
    double = cupy.ElementwiseKernel("float32 x", "float32 y", "y = 2 * x", "double_it")
    double(cupy.asarray(x), cupy.asarray(y))
    cupy.cuda.get_current_stream().synchronize()
    np.testing.assert_array_equal(y, 2 * x)
