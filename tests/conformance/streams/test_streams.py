"""Asynchronous calls, `stream=`."""

import contextlib
import ctypes
import sys

import native
import numpy as np
import pytest
from native import closed_gate, gate_that_opens
from package import axpy, cuvec, dot

pytestmark = pytest.mark.gpu
needs_residency = pytest.mark.skipif(
    sys.platform != "linux", reason="memory is migrated only on request"
)


class CudaStream:
    """A stream with the protocol of cuda-python."""

    def __init__(self, handle):
        self.handle = handle

    def __cuda_stream__(self):
        return 0, self.handle


class TorchStream:
    def __init__(self, handle):
        self.cuda_stream = handle


class CupyStream:
    def __init__(self, handle):
        self.ptr = handle


@pytest.mark.parametrize("kind", [int, CudaStream, TorchStream, CupyStream])
@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_calls_on_a_stream_run_in_order(kind, memory, stream):
    x, y = cuvec.ones(10_000, memory=memory), cuvec.zeros(10_000, memory=memory)
    for _ in range(100):
        axpy(1, x, y, stream=kind(stream))
    axpy(1, y, x, stream=kind(stream))
    cuvec.dev_sync()
    assert (y == 100).all()
    assert (x == 101).all()


@pytest.mark.parametrize("default_stream", [1, 2])
def test_the_default_streams_are_integers(default_stream):
    x, y = cuvec.ones(1000), cuvec.zeros(1000)
    axpy(2, x, y, stream=default_stream)
    cuvec.dev_sync()
    assert (y == 2).all()


def test_calls_on_a_stream_are_asynchronous(stream):
    x, y = cuvec.ones(1000), cuvec.zeros(1000)
    axpy(1, x, y, stream=stream)
    cuvec.dev_sync()
    with closed_gate(stream):
        axpy(1, x, y, stream=stream)
    cuvec.dev_sync()
    assert (y == 2).all()


def test_a_scalar_result_synchronizes_the_stream(stream):
    x = cuvec.ones(1000)
    with gate_that_opens(stream):
        axpy(1, x, y := cuvec.zeros(1000), stream=stream)
        assert dot(x, y, stream=stream) == 1000


def test_calls_without_a_stream_come_after_those_with_one(stream):
    x, y = cuvec.ones(1000), cuvec.zeros(1000)
    with gate_that_opens(stream):
        axpy(1, x, y, stream=stream)
        axpy(10, y, x)
    assert (x == 11).all()


def test_calls_with_plain_arrays_are_synchronous(stream):
    x, y = np.ones(1000, "f4"), np.zeros(1000, "f4")
    axpy(2, x, y, stream=stream)
    assert (y == 2).all()
    axpy(2, cuvec.ones(1000), y, stream=stream)
    assert (y == 4).all()


CONSUMERS = {
    "__cuda_array_interface__": lambda y: y.__cuda_array_interface__,
    "of the buffer": lambda y: y.cuvec.__cuda_array_interface__,
    "of a slice": lambda y: y[10:].__cuda_array_interface__,
    "__dlpack__": lambda y: y.__dlpack__(),
    "__dlpack__ for a stream": lambda y: y.__dlpack__(stream=1),
    "__dlpack__ for the host": lambda y: y.__dlpack__(dl_device=(1, 0)),
    "dev_sync": lambda _: cuvec.dev_sync(),
}


@pytest.mark.parametrize("consume", CONSUMERS.values(), ids=CONSUMERS)
def test_consumers_get_finished_arrays(consume, stream):
    x, y = cuvec.ones(1000), cuvec.zeros(1000)
    with gate_that_opens(stream):
        axpy(3, x, y, stream=stream)
        consume(y)
        assert (y == 3).all()


def test_consumers_may_opt_out_of_synchronization(stream):
    x, y = cuvec.ones(1000), cuvec.zeros(1000)
    with closed_gate(stream):
        axpy(1, x, y, stream=stream)
        y.__dlpack__(stream=-1)


def test_memory_is_not_reused_while_a_call_uses_it(stream):
    y = cuvec.zeros(1000)
    with gate_that_opens(stream):
        axpy(1, cuvec.full(1000, 3), y, stream=stream)
        others = [cuvec.full(1000, 99) for _ in range(10)]
        cuvec.dev_sync()
    assert (y == 3).all()
    assert all((other == 99).all() for other in others)


@pytest.mark.parametrize("size", [1000, 1 << 20])
def test_a_loop_with_new_arrays_is_asynchronous(size, stream):
    """Nor does freeing an array that the GPU still uses synchronize."""
    calls = 12
    arrays = [cuvec.zeros(size) for _ in range(calls + 1)]
    y = arrays.pop()
    axpy(1, arrays[0], y, stream=stream)
    cuvec.dev_sync()
    del arrays  # new ones recycle their memory
    with closed_gate(stream):
        for number in range(calls):
            axpy(1, cuvec.full(size, number), y, stream=stream)
    cuvec.dev_sync()
    assert (y == sum(range(calls))).all()


@needs_residency
def test_memory_in_migration_is_not_mistaken_for_host_memory(stream):
    x, y = cuvec.ones(1 << 18), cuvec.zeros(1 << 18)
    with closed_gate(stream):
        for _ in range(10):
            axpy(1, x, y, stream=stream)
        assert native.preferred_gpu(y) == cuvec.device().index
    cuvec.dev_sync()
    assert (y == 10).all()


def test_calls_follow_a_pending_prefetch(stream):
    x, y = cuvec.ones(1 << 18), cuvec.zeros(1 << 18)
    with closed_gate(stream):
        y.prefetch("device", stream=stream)
        axpy(1, x, y, stream=stream)
        assert native.preferred_gpu(y) == cuvec.device().index
    cuvec.dev_sync()
    assert (y == 1).all()


def test_prefetch_on_a_stream(stream):
    x = cuvec.ones(100_000)
    x.prefetch("device", stream=stream)
    x.prefetch("host", CudaStream(stream))
    cuvec.dev_sync()
    assert (x == 1).all()


def test_errors_come_before_anything_is_enqueued(stream):
    x, y = cuvec.ones(1000), cuvec.zeros(1000)
    with pytest.raises(ValueError, match="shape"):
        axpy(1, x[1:], y, stream=stream)
    axpy(1, x, y, stream=stream)
    cuvec.dev_sync()
    assert (y == 1).all()


def test_cuda_errors_have_cudas_name_and_description(stream):
    x = cuvec.ones(1000)
    graph = ctypes.c_void_p()
    handle = ctypes.c_void_p(stream)
    native.driver("cuStreamBeginCapture_v2", handle, 2)
    try:
        # captured work cannot be synchronized
        with pytest.raises(RuntimeError, match=r"^CUDA_ERROR_STREAM_CAPTURE_\w+: \w+"):
            cuvec.dev_sync()
    finally:
        with contextlib.suppress(AssertionError):  # the capture may be invalidated
            native.driver("cuStreamEndCapture", handle, ctypes.byref(graph))
    assert dot(x, x) == 1000
    assert dot(x, x, stream=stream) == 1000
