"""Arrays of PyTorch and CuPy are borrowed in calls on their current stream, which costs less than owning them."""

import pytest
from exchange import FAKE_TORCH

PREPARATION = """
import ctypes

import native
from exchange import STREAM
from native import closed_gate

stream_queries = []


@STREAM
def work_stream(kind, index, stream):
    stream_queries.append((kind, index))
    stream[0] = None
    return 0


table.current_work_stream = ctypes.cast(work_stream, ctypes.c_void_p)
"""


@pytest.fixture
def run_with_tensors(run_python):
    """Run code in a process whose first tensors are from `FAKE_TORCH`."""

    def run_with_tensors(code, fake_torch=FAKE_TORCH):
        assert run_python(fake_torch + PREPARATION + code.replace("\n    ", "\n")) == ""

    return run_with_tensors


@pytest.mark.gpu
def test_a_call_on_the_stream_of_tensors_borrows_them(run_with_tensors):
    run_with_tensors("""
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
def test_a_synchronous_call_owns_tensors(run_with_tensors):
    """It runs on a stream of its own."""
    run_with_tensors("""
    x, y = tensor(), tensor()
    axpy(2, x, y)
    assert x.exports == y.exports == ["owned"]
    assert len(x.deleted) == len(y.deleted) == 1
    assert stream_queries == [(2, 0)]
    assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_a_call_on_another_stream_owns_tensors_until_it_is_done(run_with_tensors):
    run_with_tensors("""
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
def test_arrays_of_other_libraries_are_not_borrowed(run_with_tensors):
    """A borrowed tensor does not tell whether it is read-only."""
    run_with_tensors(
        """
    x, y = tensor(), tensor()
    axpy(2, x, y, stream=0)
    assert x.exports == y.exports == ["owned"]
    """,
        FAKE_TORCH.replace('Tensor.__module__ = "torch"\n', ""),
    )


@pytest.mark.gpu
def test_tensors_with_gradients_are_not_borrowed(run_with_tensors):
    run_with_tensors("""
    y = tensor()
    y.requires_grad = True
    axpy(2, cuvec.ones(3), y, stream=0)
    assert y.exports == []
    assert y.dlpack_calls == 1
    """)


CUPY = """
import sys
import types

import native
from native import closed_gate
from package import axpy, cuvec


class Data:
    __slots__ = "device_id", "ptr"

    def __init__(self, array):
        self.ptr, self.device_id = array.ptr, cuvec.device().index


class ndarray:
    __slots__ = "_c_contiguous", "array", "data", "dtype", "exports", "shape"

    def __init__(self, array):
        self.array, self.exports = array, 0
        self.data, self.dtype, self.shape = Data(array), array.dtype, array.shape
        self._c_contiguous = array.flags.c_contiguous

    def __dlpack__(self, stream, max_version):
        self.exports += 1
        return self.array.__dlpack__(max_version=max_version)


cupy = types.ModuleType("cupy")
cupy.ndarray = ndarray
cupy.cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=0))
sys.modules["cupy"] = cupy
x, y = ndarray(cuvec.ones(3)), ndarray(cuvec.ones(3))
"""


@pytest.fixture
def run_with_cupy(run_python):
    """Run code in a process whose first CuPy arrays are `x` and `y`."""

    def run_with_cupy(code):
        assert run_python(CUPY + code.replace("\n    ", "\n")) == ""

    return run_with_cupy


@pytest.mark.gpu
def test_a_call_on_the_stream_of_cupy_arrays_borrows_them(run_with_cupy):
    run_with_cupy("""
    for turn, stream in enumerate((0, 1)):
        axpy(2, x, y, stream=stream)
        assert x.exports == y.exports == 0
        cuvec.dev_sync()
        assert y.array.tolist() == 3 * [3 + 2 * turn]
    """)


@pytest.mark.gpu
def test_a_synchronous_call_owns_cupy_arrays(run_with_cupy):
    run_with_cupy("""
    axpy(2, x, y)
    assert x.exports == y.exports == 1
    assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_a_call_on_another_stream_owns_cupy_arrays_until_it_is_done(run_with_cupy):
    run_with_cupy("""
    with native.new_stream(0) as stream:
        axpy(0, x, y, stream=stream)
        cuvec.dev_sync()
        x.exports = y.exports = 0
        with closed_gate(stream):
            axpy(2, x, y, stream=stream)
            assert x.exports == y.exports == 1
        cuvec.dev_sync()
        assert y.array.tolist() == [3, 3, 3]
    """)


@pytest.mark.gpu
def test_borrowed_arrays_are_checked_like_others(run_with_cupy):
    run_with_cupy("""
    x.shape = (2,)
    try:
        axpy(2, x, y, stream=0)
    except ValueError as error:
        assert "shapes (2,) and (3,)" in str(error), error
    else:
        raise AssertionError
    """)


@pytest.mark.gpu
def test_strided_cupy_arrays_are_owned(run_with_cupy):
    run_with_cupy("""
    x._c_contiguous = False
    axpy(2, x, y, stream=0)
    assert (x.exports, y.exports) == (1, 0)
    cuvec.dev_sync()
    assert y.array.tolist() == [3, 3, 3]
    """)
