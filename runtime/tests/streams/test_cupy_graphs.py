"""CuPy: calls in its CUDA graphs, with every kind of argument."""

import cupy
import pytest
from graphs import Calls, in_numpy, kinds
from package import axpy, cuvec

pytestmark = pytest.mark.gpu
LEGACY_DEFAULT_STREAM = 1  # its handle


@pytest.mark.parametrize("non_blocking", [True, False])
@pytest.mark.parametrize("kind", kinds(cupy.zeros))
def test_graphs_are_replayed(kind, non_blocking):
    with cupy.cuda.Device(cuvec.device().index):
        calls = Calls(*kinds(cupy.zeros)[kind], in_numpy)
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


def test_a_call_on_the_default_stream_does_not_invalidate_a_capture():
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
