"""CUDA graphs, of CuPy and PyTorch too: calls are captured or refused, and their memory is retained."""

import importlib
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from exporters import CudaArrayInterface
from graphs import KINDS, SIZE, Calls, becomes_true, captured
from package import axpy, cuvec, dot, smooth

pytestmark = pytest.mark.gpu
needs_cupy = pytest.mark.library("cupy")
needs_torch = pytest.mark.library("torch")
LEGACY_DEFAULT_STREAM = 1  # its handle


@pytest.fixture
def y(stream):
    """Return an array, after calls that load modules."""
    array = cuvec.zeros(SIZE)
    axpy(0, smooth(cuvec.ones(SIZE), stream=stream), array, stream=stream)
    dot(array, array)
    cuvec.dev_sync()
    array[:] = 0
    return array


def add_twos(y, stream):
    """Add 2 to `y`, through temporary arrays and results."""
    axpy(1, smooth(cuvec.full(SIZE, 2), stream=stream), y, stream=stream)


def test_memory_is_not_recycled_as_long_as_the_graph_exists(y, stream):
    with captured(stream, lambda: add_twos(y, stream)) as replay:
        assert replay
        for times in range(1, 4):
            cuvec.empty_cache()
            others = [cuvec.full(SIZE, 99) for _ in range(100)]
            results = [smooth(other, stream=stream) for other in others]
            cuvec.dev_sync()
            replay()
            cuvec.dev_sync()
            np.testing.assert_array_equal(y, np.full(SIZE, 2 * times))
            assert all((it == 99).all() for it in [*others, *results])


def test_memory_is_released_with_the_graph(y, stream):
    before = cuvec.memory_stats().used
    with captured(stream, lambda: add_twos(y, stream)) as replay:
        cuvec.dev_sync()
        assert replay
        assert cuvec.memory_stats().used > before
    assert becomes_true(lambda: cuvec.memory_stats().used == before)


def test_arrays_of_other_libraries_are_retained_as_long_as_the_graph_exists(y, stream):
    weak = []

    def calls():
        x = CudaArrayInterface(cuvec.ones(SIZE))
        axpy(1, x, y, stream=stream)
        weak.append(weakref.ref(x))

    def is_gone():
        axpy(0, y, cuvec.zeros(SIZE))  # releases what is no longer used
        return weak[0]() is None

    with captured(stream, calls) as replay:
        assert replay
        for times in range(1, 4):
            replay()
            cuvec.dev_sync()
            assert (y == times).all()
            assert not is_gone()
    assert becomes_true(is_gone)


REFUSED = {
    "scalar result": ("out=", lambda y, stream: dot(y, y, stream=stream)),
    "host array": ("asarray", lambda y, stream: axpy(1, np.ones(SIZE, "f4"), y, stream=stream)),
}


@pytest.mark.parametrize("call", REFUSED)
def test_synchronous_calls_are_refused(call, y, stream):
    """And the capture continues."""
    hint, refused = REFUSED[call]
    x = cuvec.ones(SIZE)

    def calls():
        with pytest.raises(RuntimeError, match=f"graph is being captured.*{hint}"):
            refused(y, stream)
        axpy(1, x, y, stream=stream)

    with captured(stream, calls) as replay:
        assert replay
        replay()
        cuvec.dev_sync()
        assert (y == 1).all()
    refused(y, stream)


@pytest.fixture
def cupy():
    return importlib.import_module("cupy")


@needs_cupy
@pytest.mark.parametrize("non_blocking", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_graphs_of_cupy_are_replayed(kind, non_blocking, cupy):
    with cupy.cuda.Device(cuvec.device().index):
        calls = Calls(kind, cupy.zeros)
        stream = cupy.cuda.Stream(non_blocking=non_blocking)
        calls.start()
        cupy.cuda.Device().synchronize()
        calls.step(stream)  # loads modules, which cannot be done during a capture
        calls.check(1)
        calls.start()
        cupy.cuda.Device().synchronize()
        with stream:
            stream.begin_capture()
            calls.refused_step()
            calls.step(stream)
            graph = stream.end_capture()
        calls.check_replays(lambda: graph.launch(stream))


@needs_cupy
def test_a_call_on_the_default_stream_does_not_invalidate_a_capture(cupy):
    """CUDA refuses that stream while a blocking stream is being captured."""
    with cupy.cuda.Device(cuvec.device().index):
        x, y = cupy.ones(8, "f4"), cupy.zeros(8, "f4")
        axpy(0, x, y)
        stream = cupy.cuda.Stream(non_blocking=False)
        stream.begin_capture()
        try:
            with pytest.raises(RuntimeError, match=r"(?i)capture"):
                axpy(1, x, y, stream=LEGACY_DEFAULT_STREAM)
            axpy(1, x, y, stream=stream.ptr)
        finally:
            graph = stream.end_capture()
        graph.launch(stream)
        stream.synchronize()
        assert (y == 1).all()


@pytest.fixture
def torch():
    return importlib.import_module("torch")


@needs_torch
@pytest.mark.parametrize("kind", KINDS)
def test_graphs_of_torch_are_replayed(kind, torch):
    def new(shape, dtype):
        device = f"cuda:{cuvec.device().index}"
        return torch.from_numpy(np.zeros(shape, dtype)).to(device)

    calls = Calls(kind, new)
    stream = torch.cuda.Stream()
    calls.start()
    torch.cuda.synchronize()
    calls.step(stream)  # loads modules, which cannot be done during a capture
    calls.check(1)
    calls.start()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        calls.refused_step()
        calls.step(torch.cuda.current_stream())
    calls.check_replays(graph.replay)


@needs_torch
def test_other_threads_are_not_refused_during_a_capture(torch):
    x, y = cuvec.ones(SIZE), cuvec.zeros(SIZE)
    axpy(0, x, y)
    graph = torch.cuda.CUDAGraph()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(axpy, 0, x, y).result()
        with torch.cuda.graph(graph, capture_error_mode="relaxed"):
            torch.ones(1, device=f"cuda:{cuvec.device().index}").add_(1)
            pool.submit(axpy, 1, x, y).result()
            with pytest.raises(RuntimeError, match="graph is being captured"):
                axpy(1, x, y)
    axpy(1, x, y)
    assert (y == 2).all()


@needs_torch
def test_memory_is_not_recycled_as_long_as_a_graph_of_torch_exists(torch):
    y, stream = cuvec.zeros(SIZE), torch.cuda.Stream()
    axpy(0, cuvec.ones(SIZE), y, stream=stream)
    cuvec.dev_sync()
    before = cuvec.memory_stats().used
    x, graph = cuvec.ones(SIZE), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        axpy(1, x, y, stream=torch.cuda.current_stream())
    del x
    cuvec.empty_cache()
    others = [cuvec.full(SIZE, 99) for _ in range(100)]
    for times in range(1, 4):
        graph.replay()
        cuvec.dev_sync()
        assert (y == times).all()
    del others, graph
    assert becomes_true(lambda: cuvec.memory_stats().used == before)
