"""Arrays of other libraries with `stream=`: what nobody else holds is there until the GPU is done."""

import ctypes
import weakref

import native
import pytest
from exporters import CudaArrayInterface, Dlpack, Interface
from gates import closed_gate
from package import axpy, cuvec, dot, smooth

KINDS = pytest.mark.parametrize("kind", [Dlpack, CudaArrayInterface])
N = 1000


@pytest.fixture
def y(stream):
    """Make an array, after calls that load what is needed: that may wait for all streams."""
    array = cuvec.zeros(N)
    axpy(0, cuvec.ones(N), array, stream=stream)
    smooth(array, stream=stream)
    cuvec.dev_sync()
    return array


def add(kind, y, stream):
    """Add a temporary array of ones to `y`; a weak reference to it."""
    x = kind(cuvec.ones(N))
    axpy(1, x, y, stream=stream)
    return weakref.ref(x)


@KINDS
@pytest.mark.gpu
def test_a_temporary_is_there_until_the_gpu_is_done(kind, stream, y):
    with closed_gate(stream):
        x = add(kind, y, stream)
        assert x() is not None
    cuvec.dev_sync()
    assert x() is None
    assert (y == 1).all()


@KINDS
@pytest.mark.gpu
def test_so_is_what_a_result_is_written_to(kind, stream, y):
    with closed_gate(stream):
        out = kind(cuvec.zeros(N))
        assert smooth(y, out=out, stream=stream) is out
        out = weakref.ref(out)
        assert out() is not None
    cuvec.dev_sync()
    assert out() is None


@KINDS
@pytest.mark.gpu
def test_later_calls_let_it_go(kind, stream, y):
    temporaries = [add(kind, y, stream) for _ in range(100)]
    native.driver("cuStreamSynchronize", ctypes.c_void_p(stream))
    add(kind, y, stream)
    assert not any(x() for x in temporaries)
    cuvec.dev_sync()
    assert (y == 101).all()


@pytest.mark.gpu
def test_one_stream_does_not_wait_for_another(stream, y):
    with native.new_stream(cuvec.device().index) as other, closed_gate(other):
        waits = add(Dlpack, cuvec.zeros(N), other)
        goes = add(Dlpack, y, stream)
        native.driver("cuStreamSynchronize", ctypes.c_void_p(stream))
        add(Dlpack, y, stream)
        assert goes() is None
        assert waits() is not None
    cuvec.dev_sync()
    assert waits() is None


@pytest.mark.gpu
def test_the_stream_of_its_own_library_keeps_it(stream, y):
    """Whoever reuses the memory there comes after the call."""
    array = cuvec.ones(N)
    x = Interface(array.__cuda_array_interface__ | {"stream": stream})
    with closed_gate(stream):
        axpy(1, x, y, stream=stream)
        x = weakref.ref(x)
        assert x() is None
    cuvec.dev_sync()


@pytest.mark.gpu
def test_a_recording_is_not_spoilt(stream, y):
    """To ask for work of other streams is not for every thread that records."""
    x, z = cuvec.ones(N), cuvec.zeros(N)
    graph, handle = ctypes.c_void_p(), ctypes.c_void_p(stream)
    with native.new_stream(cuvec.device().index) as other, closed_gate(other):
        waits = add(Dlpack, y, other)
        native.driver("cuStreamBeginCapture_v2", handle, 0)
        axpy(1, x, z, stream=stream)
        native.driver("cuStreamEndCapture", handle, ctypes.byref(graph))
        assert waits() is not None
    cuvec.dev_sync()
    native.driver("cuGraphDestroy", graph)


@KINDS
@pytest.mark.gpu
def test_calls_that_wait_keep_nothing(kind, y):
    x = add(kind, y, None)
    assert x() is None


def test_calls_on_the_cpu_keep_nothing():
    x = Dlpack(cuvec.ones(N))
    assert dot(x, x) == N
    x = weakref.ref(x)
    assert x() is None
