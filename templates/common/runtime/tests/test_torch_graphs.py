"""PyTorch: calls in its CUDA graphs, with every kind of argument."""

import numpy as np
import pytest
import torch
from package import cuvec
from recording import Recording, kinds

pytestmark = pytest.mark.gpu


def new(shape, dtype):
    device = f"cuda:{cuvec.device().index}"
    return torch.from_numpy(np.zeros(shape, dtype)).to(device)


def read(x):
    return x.cpu().numpy() if isinstance(x, torch.Tensor) else np.asarray(x)


@pytest.mark.parametrize("kind", kinds(new))
def test_graphs_are_replayed(kind):
    recording = Recording(*kinds(new)[kind], read)
    stream = torch.cuda.Stream()
    recording.start()
    torch.cuda.synchronize()
    recording.step(stream)  # loads what is needed, which cannot be done while a stream records
    recording.check(1)
    recording.start()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        recording.step(torch.cuda.current_stream())
    recording.check_replays(graph.replay)
