"""PyTorch: calls in its CUDA graphs, with every kind of argument."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from graphs import SIZE, Calls, becomes_true, kinds
from package import axpy, cuvec

pytestmark = pytest.mark.gpu


def new(shape, dtype):
    device = f"cuda:{cuvec.device().index}"
    return torch.from_numpy(np.zeros(shape, dtype)).to(device)


def read(x):
    return x.cpu().numpy() if isinstance(x, torch.Tensor) else np.asarray(x)


@pytest.mark.parametrize("kind", kinds(new))
def test_graphs_are_replayed(kind):
    calls = Calls(*kinds(new)[kind], read)
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


def test_other_threads_are_not_refused_during_a_capture():
    x, y = cuvec.ones(SIZE), cuvec.zeros(SIZE)
    axpy(0, x, y)
    graph = torch.cuda.CUDAGraph()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(axpy, 0, x, y).result()
        with torch.cuda.graph(graph, capture_error_mode="relaxed"):
            torch.ones(1, device=f"cuda:{cuvec.device().index}").add_(1)
            pool.submit(axpy, 1, x, y).result()
            with pytest.raises(RuntimeError, match="graph is being recorded"):
                axpy(1, x, y)
    axpy(1, x, y)
    assert (y == 2).all()


def test_memory_is_not_recycled_as_long_as_the_graph_exists():
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
