"""PyTorch's tensors on its current stream are borrowed: that takes less than a share of each."""

import pytest
from exchange import LENDING

PREPARATION = """
import ctypes

import native
from exchange import STREAM
from gates import closed_gate

asked = []


@STREAM
def work_stream(kind, index, stream):
    asked.append((kind, index))
    stream[0] = None
    return 0


table.current_work_stream = ctypes.cast(work_stream, ctypes.c_void_p)
"""


@pytest.fixture
def run(run_python):
    def run(code):
        assert run_python(LENDING + PREPARATION + code.replace("\n    ", "\n")) == ""

    return run


@pytest.mark.gpu
def test_a_call_on_the_stream_of_the_tensors_borrows_them(run):
    run("""
    for stream in 0, 1:
        x, y = tensor(), tensor()
        asked.clear()
        axpy(2, x, y, stream=stream)
        assert x.handed_out == y.handed_out == ["loan"]
        assert asked == [(2, 0)]  # once for all
        cuvec.dev_sync()
        assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_a_call_that_waits_has_a_share(run):
    """It is on a stream of its own."""
    run("""
    x, y = tensor(), tensor()
    axpy(2, x, y)
    assert x.handed_out == y.handed_out == ["share"]
    assert len(x.given_back) == len(y.given_back) == 1
    assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_a_call_on_another_stream_has_a_share_until_it_is_over(run):
    run("""
    y = tensor()
    with native.new_stream(0) as stream:
        axpy(0, cuvec.ones(3), cuvec.ones(3), stream=stream)
        cuvec.dev_sync()
        with closed_gate(stream):
            axpy(2, cuvec.ones(3), y, stream=stream)
            assert y.handed_out[-1] == "share"
            assert not y.given_back
        cuvec.dev_sync()
        axpy(0, cuvec.ones(3), cuvec.ones(3))
        assert len(y.given_back) == 1
        assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_gradients_are_not_lost(run):
    run("""
    y = tensor()
    y.requires_grad = True
    axpy(2, cuvec.ones(3), y, stream=0)
    assert y.handed_out == []
    assert y.asked == 1
    """)
