"""CuPy: calls in its CUDA graphs, with every kind of argument."""

import cupy
import pytest
from package import cuvec
from recording import Recording, in_numpy, kinds

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("non_blocking", [True, False])
@pytest.mark.parametrize("kind", kinds(cupy.zeros))
def test_graphs_are_replayed(kind, non_blocking):
    with cupy.cuda.Device(cuvec.device().index):
        recording = Recording(*kinds(cupy.zeros)[kind], in_numpy)
        stream = cupy.cuda.Stream(non_blocking=non_blocking)
        recording.start()
        cupy.cuda.Device().synchronize()
        recording.step(stream)  # loads what is needed, which cannot be done while a stream records
        recording.check(1)
        recording.start()
        cupy.cuda.Device().synchronize()
        with stream:
            stream.begin_capture()
            recording.refused_step()
            recording.step(stream)
            graph = stream.end_capture()
        recording.check_replays(lambda: graph.launch(stream))
