"""CuPy: calls in its CUDA graphs, with every kind of argument."""

import cupy
import pytest
from package import axpy, cuvec
from recording import Recording, in_numpy, kinds

pytestmark = pytest.mark.gpu
LEGACY_DEFAULT_STREAM = 1  # its handle


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


def test_a_call_on_the_default_stream_spoils_no_recording():
    """CUDA lets nobody use that stream while one records that waits for it."""
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
