"""PyTorch's tensors are borrowed in calls on its current stream, which costs less than owning them."""

import pytest
from exchange import FAKE_TORCH

PREPARATION = """
import ctypes

import native
from exchange import STREAM
from gates import closed_gate

stream_queries = []


@STREAM
def work_stream(kind, index, stream):
    stream_queries.append((kind, index))
    stream[0] = None
    return 0


table.current_work_stream = ctypes.cast(work_stream, ctypes.c_void_p)
"""


@pytest.fixture
def run(run_python):
    """Run code in a process whose first tensors are those of `FAKE_TORCH`."""

    def run(code, fake_torch=FAKE_TORCH):
        assert run_python(fake_torch + PREPARATION + code.replace("\n    ", "\n")) == ""

    return run


@pytest.mark.gpu
def test_a_call_on_the_stream_of_the_tensors_borrows_them(run):
    run("""
    for stream in 0, 1:
        x, y = tensor(), tensor()
        stream_queries.clear()
        axpy(2, x, y, stream=stream)
        assert x.exports == y.exports == ["borrowed"]
        assert stream_queries == [(2, 0)]  # once for both
        cuvec.dev_sync()
        assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_a_synchronous_call_owns_them(run):
    """It runs on a stream of its own."""
    run("""
    x, y = tensor(), tensor()
    axpy(2, x, y)
    assert x.exports == y.exports == ["owned"]
    assert len(x.deleted) == len(y.deleted) == 1
    assert stream_queries == [(2, 0)]
    assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_a_call_on_another_stream_owns_them_until_it_is_done(run):
    run("""
    x, y = tensor(), tensor()
    with native.new_stream(0) as stream:
        axpy(0, cuvec.ones(3), cuvec.ones(3), stream=stream)
        cuvec.dev_sync()
        with closed_gate(stream):
            axpy(2, x, y, stream=stream)
            assert x.exports[-1] == y.exports[-1] == "owned"
            assert not x.deleted and not y.deleted
        cuvec.dev_sync()
        assert len(x.deleted) == len(y.deleted) == 1
        assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_arrays_of_other_libraries_are_not_borrowed(run):
    """A borrowed tensor does not tell whether it is read-only."""
    run(
        """
    x, y = tensor(), tensor()
    axpy(2, x, y, stream=0)
    assert x.exports == y.exports == ["owned"]
    """,
        FAKE_TORCH.replace('Tensor.__module__ = "torch"\n', ""),
    )


@pytest.mark.gpu
def test_tensors_with_gradients_are_not_borrowed(run):
    run("""
    y = tensor()
    y.requires_grad = True
    axpy(2, cuvec.ones(3), y, stream=0)
    assert y.exports == []
    assert y.dlpack_calls == 1
    """)
