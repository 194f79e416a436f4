"""Arrays of other libraries with `stream=`: temporaries are retained until the GPU is done."""

import ctypes
import weakref

import native
import pytest
from exporters import CudaArrayInterface, Dlpack, Interface
from native import closed_gate
from package import axpy, cuvec, dot, smooth

KINDS = pytest.mark.parametrize("kind", [Dlpack, CudaArrayInterface])
N = 1000


@pytest.fixture
def y(stream):
    """Return an array, after calls that load modules, which may synchronize all streams."""
    array = cuvec.zeros(N)
    axpy(0, cuvec.ones(N), array, stream=stream)
    smooth(array, stream=stream)
    cuvec.dev_sync()
    return array


def add(kind, y, stream):
    """Add a temporary array of ones to `y`; return a weak reference to it."""
    x = kind(cuvec.ones(N))
    axpy(1, x, y, stream=stream)
    return weakref.ref(x)


@KINDS
@pytest.mark.gpu
def test_a_temporary_is_retained_until_the_gpu_is_done(kind, stream, y):
    with closed_gate(stream):
        x = add(kind, y, stream)
        assert x() is not None
    cuvec.dev_sync()
    assert x() is None
    assert (y == 1).all()


@KINDS
@pytest.mark.gpu
def test_out_is_retained_until_the_gpu_is_done(kind, stream, y):
    with closed_gate(stream):
        out = kind(cuvec.zeros(N))
        assert smooth(y, out=out, stream=stream) is out
        out = weakref.ref(out)
        assert out() is not None
    cuvec.dev_sync()
    assert out() is None


@KINDS
@pytest.mark.gpu
def test_later_calls_release_temporaries(kind, stream, y):
    temporaries = [add(kind, y, stream) for _ in range(100)]
    native.driver("cuStreamSynchronize", ctypes.c_void_p(stream))
    add(kind, y, stream)
    assert not any(x() for x in temporaries)
    cuvec.dev_sync()
    assert (y == 101).all()


@pytest.mark.gpu
def test_one_stream_does_not_wait_for_another(stream, y):
    with native.new_stream(cuvec.device().index) as other, closed_gate(other):
        pending = add(Dlpack, cuvec.zeros(N), other)
        done = add(Dlpack, y, stream)
        native.driver("cuStreamSynchronize", ctypes.c_void_p(stream))
        add(Dlpack, y, stream)
        assert done() is None
        assert pending() is not None
    cuvec.dev_sync()
    assert pending() is None


@pytest.mark.gpu
def test_arrays_of_the_same_stream_are_not_retained(stream, y):
    """Work that recycles their memory comes after the call."""
    array = cuvec.ones(N)
    x = Interface(array.__cuda_array_interface__ | {"stream": stream})
    with closed_gate(stream):
        axpy(1, x, y, stream=stream)
        x = weakref.ref(x)
        assert x() is None
    cuvec.dev_sync()


@pytest.mark.gpu
def test_a_capture_is_not_invalidated(stream, y):
    """A thread that captures may not be allowed to query other streams."""
    x, z = cuvec.ones(N), cuvec.zeros(N)
    graph, handle = ctypes.c_void_p(), ctypes.c_void_p(stream)
    with native.new_stream(cuvec.device().index) as other, closed_gate(other):
        pending = add(Dlpack, y, other)
        native.driver("cuStreamBeginCapture_v2", handle, 0)
        axpy(1, x, z, stream=stream)
        native.driver("cuStreamEndCapture", handle, ctypes.byref(graph))
        assert pending() is not None
    cuvec.dev_sync()
    native.driver("cuGraphDestroy", graph)


@KINDS
@pytest.mark.gpu
def test_synchronous_calls_retain_nothing(kind, y):
    x = add(kind, y, None)
    assert x() is None


def test_calls_on_the_cpu_retain_nothing():
    x = Dlpack(cuvec.ones(N))
    assert dot(x, x) == N
    x = weakref.ref(x)
    assert x() is None
