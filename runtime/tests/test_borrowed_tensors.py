"""PyTorch's tensors are borrowed for calls on its current stream: that takes less than shares."""

import pytest

PREPARATION = """
import ctypes

import capsules
import native
from exchange import STREAM, exporter_of, functions, lend
from gates import closed_gate
from package import axpy, cuvec

BORROW = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(capsules.Tensor))
asked = []


@BORROW
def borrow(exporter, tensor):
    exporter.borrowed += 1
    exporter.capsule = exporter.array.__dlpack__(max_version=(1, 1))
    tensor[0] = capsules.read(exporter.capsule).tensor
    return 0


@STREAM
def work_stream(kind, index, stream):
    asked.append((kind, index))
    stream[0] = None
    return 0


table = functions(lend)
table.dltensor_from_py_object_no_sync = ctypes.cast(borrow, ctypes.c_void_p)
table.current_work_stream = ctypes.cast(work_stream, ctypes.c_void_p)
Tensor = type(exporter_of(None, table))
Tensor.__module__ = "torch"
Tensor.requires_grad = False
Tensor.borrowed = 0


def tensor():
    return Tensor(cuvec.ones(3), table)


def is_shared(tensor):
    return hasattr(tensor, "lent")


axpy(0, tensor(), cuvec.ones(3))  # the first one is looked at
asked.clear()
"""


@pytest.fixture
def run(run_python):
    """Run code after the preparation, in a process whose first tensors are those."""

    def run(code, before=PREPARATION):
        assert run_python(before + code.replace("\n    ", "\n")) == ""

    return run


@pytest.mark.gpu
def test_a_call_on_the_stream_of_the_tensors_borrows_them(run):
    run("""
    for stream in 0, 1:
        x, y = tensor(), tensor()
        asked.clear()
        axpy(2, x, y, stream=stream)
        assert x.borrowed == y.borrowed == 1
        assert not is_shared(x) and not is_shared(y)
        assert asked == [(2, 0)]  # once for both
        cuvec.dev_sync()
        assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_a_call_that_waits_has_shares(run):
    """It is on a stream of its own."""
    run("""
    x, y = tensor(), tensor()
    axpy(2, x, y)
    assert x.borrowed == y.borrowed == 0
    assert len(x.given_back) == len(y.given_back) == 1
    assert asked == [(2, 0)]
    assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_a_call_on_another_stream_has_shares_until_it_is_over(run):
    run("""
    x, y = tensor(), tensor()
    with native.new_stream(0) as stream:
        axpy(0, cuvec.ones(3), cuvec.ones(3), stream=stream)
        cuvec.dev_sync()
        with closed_gate(stream):
            axpy(2, x, y, stream=stream)
            assert is_shared(x) and is_shared(y)
            assert not x.given_back and not y.given_back
        cuvec.dev_sync()
        assert len(x.given_back) == len(y.given_back) == 1
        assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_of_other_libraries_nothing_is_borrowed(run):
    """What they lend does not say whether it is read-only."""
    run(
        """
    x, y = tensor(), tensor()
    axpy(2, x, y, stream=0)
    assert x.borrowed == y.borrowed == 0
    assert is_shared(x) and is_shared(y)
    """,
        PREPARATION.replace('Tensor.__module__ = "torch"\n', ""),
    )
