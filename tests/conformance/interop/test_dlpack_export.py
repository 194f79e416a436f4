"""DLPack: `__dlpack__` and `__dlpack_device__`, and what is in the capsules."""

import gc

import capsules
import native
import numpy as np
import pytest
from package import cuvec

CPU, CUDA = 1, 2
DTYPES = "?bBhHiIqQefdFD"
VIEWS = {
    "whole": lambda x: x,
    "slice": lambda x: x[1:3],
    "steps": lambda x: x[::2, ::3],
    "backwards": lambda x: x[::-1],
    "transpose": lambda x: x.T,
    "0-d": lambda x: x[:1, :1].reshape(()),
}


def device():
    index = cuvec.device().index
    return (CPU, 0) if index is None else (CUDA, index)


@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_device_is_the_gpu_where_there_is_one(memory):
    assert cuvec.zeros(3, memory=memory).__dlpack_device__() == device()


@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0), (1, 1), (2, 0)])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_capsule_describes_the_view(view, dtype, max_version):
    x = view(cuvec.zeros((4, 6), dtype))
    managed = capsules.read(x.__dlpack__(max_version=max_version))
    tensor = managed.tensor
    assert tensor.data + tensor.byte_offset == x.ptr
    assert (tensor.device.type, tensor.device.index) == device()
    assert (tensor.ndim, tensor.shape) == (x.ndim, x.shape)
    assert tensor.strides == tuple(stride // x.itemsize for stride in x.strides)
    assert tensor.dtype.code == capsules.CODES[x.dtype.kind]
    assert (tensor.dtype.bits, tensor.dtype.lanes) == (8 * x.itemsize, 1)


def test_old_consumers_get_the_unversioned_capsule():
    x = cuvec.zeros(3)
    for max_version in (None, (0, 8)):
        assert type(capsules.read(x.__dlpack__(max_version=max_version))) is capsules.Legacy


def test_new_consumers_get_a_versioned_capsule():
    managed = capsules.read(cuvec.zeros(3).__dlpack__(max_version=(1, 0)))
    assert type(managed) is capsules.Versioned
    assert managed.major == 1
    assert managed.flags == 0


def test_read_only_arrays_need_a_versioned_capsule():
    x = cuvec.zeros(3)
    x.flags.writeable = False
    assert capsules.read(x.__dlpack__(max_version=(1, 0))).flags == capsules.READ_ONLY
    with pytest.raises(BufferError, match="read-only"):
        x.__dlpack__()


@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_arrays_without_elements_have_no_address(max_version):
    x = cuvec.zeros((3, 0))
    managed = capsules.read(x.__dlpack__(max_version=max_version))
    tensor = managed.tensor
    assert (tensor.data, tensor.shape) == (None, (3, 0))


@pytest.mark.parametrize("copy", [None, False])
def test_nothing_is_copied_unasked(copy):
    x = cuvec.zeros(3)
    managed = capsules.read(x.__dlpack__(max_version=(1, 0), copy=copy))
    assert managed.tensor.data == x.ptr


def test_a_copy_is_flagged_as_one():
    x = cuvec.asarray([1.0, 2.0, 3.0])[::-1]
    x.flags.writeable = False
    managed = capsules.read(x.__dlpack__(max_version=(1, 0), copy=True))
    assert managed.flags == capsules.IS_COPIED
    assert managed.tensor.data != x.ptr
    on_host = x.__dlpack__(max_version=(1, 0), copy=True, dl_device=(CPU, 0))
    managed = capsules.read(on_host)
    assert managed.tensor.device.type == CPU


def test_any_array_is_exported_to_the_cpu_without_a_copy():
    x = cuvec.zeros(3)
    managed = capsules.read(x.__dlpack__(dl_device=(CPU, 0)))
    tensor = managed.tensor
    assert (tensor.device.type, tensor.device.index, tensor.data) == (CPU, 0, x.ptr)
    managed = capsules.read(x.__dlpack__(dl_device=device()))
    assert managed.tensor.device.type == device()[0]


@pytest.mark.parametrize("dl_device", [(CUDA, 99), (4, 0), (CPU, 1)])
@pytest.mark.parametrize("copy", [None, True, False])
def test_other_devices_are_refused(dl_device, copy):
    with pytest.raises(BufferError, match="device"):
        cuvec.zeros(3).__dlpack__(dl_device=dl_device, copy=copy)


def test_dtypes_that_dlpack_cannot_describe_are_refused():
    x = cuvec.zeros((4, 10), "u1")
    records = x.view([("a", "u1"), ("b", "<f4")])
    for array in (records, records["b"], cuvec.zeros(4).view(">f4"), cuvec.zeros(4).view("f4,f4")):
        with pytest.raises(BufferError):
            array.__dlpack__(max_version=(1, 0))


def test_arguments_are_keywords():
    with pytest.raises(TypeError):
        cuvec.zeros(3).__dlpack__(None)


@pytest.mark.gpu
@pytest.mark.parametrize("stream", [None, -1, 1, 2])
def test_streams_of_consumers(stream):
    capsule = cuvec.zeros(3).__dlpack__(stream=stream)
    assert type(capsules.read(capsule)) is capsules.Legacy


@pytest.mark.gpu
def test_a_stream_can_be_a_handle():
    with native.new_stream() as stream:
        capsule = cuvec.zeros(3).__dlpack__(stream=stream, max_version=(1, 0))
        assert type(capsules.read(capsule)) is capsules.Versioned


@pytest.mark.gpu
@pytest.mark.parametrize("stream", [0, -2])
def test_ambiguous_streams_are_refused(stream):
    with pytest.raises(ValueError, match="stream"):
        cuvec.zeros(3).__dlpack__(stream=stream)


@pytest.mark.parametrize("stream", [0, -2, -(2**40)])
def test_ambiguous_streams_of_an_array_on_a_gpu_are_refused(stream, monkeypatch):
    """The check comes before the GPU is used, so it needs none."""
    monkeypatch.setattr(cuvec.interop, "dlpack_device", lambda _array: (CUDA, 0))
    with pytest.raises(ValueError, match="stream"):
        cuvec.zeros(3).__dlpack__(stream=stream)


def test_streams_are_integers(run_python):
    with pytest.raises((TypeError, ValueError)):
        cuvec.zeros(3).__dlpack__(stream="1")
    code = """
    from package import cuvec
    try:
        cuvec.zeros(3).__dlpack__(stream=1)
    except ValueError as error:
        print(error)
    """
    assert "stream" in run_python(code, CUVEC_DEVICE="cpu")


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_a_capsule_keeps_the_memory_alive(max_version):
    x = cuvec.full(1000, 7, "u1")
    address = x.ptr
    capsule = x.__dlpack__(max_version=max_version)
    used = cuvec.memory_stats().used
    del x
    gc.collect()
    assert cuvec.memory_stats().used == used
    cuvec.zeros(1000, "u1")
    assert native.bytes_at(address, 1000) == b"\7" * 1000
    del capsule
    gc.collect()
    assert cuvec.memory_stats().used < used


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_the_deleter_may_run_on_any_thread(max_version):
    before = cuvec.memory_stats().used
    capsule = cuvec.zeros(1000).__dlpack__(max_version=max_version)
    deleter, address = capsules.consume(capsule)
    del capsule  # its destructor does not touch a consumed tensor
    gc.collect()
    assert cuvec.memory_stats().used > before
    native.run_on_native_thread(deleter, address)
    assert cuvec.memory_stats().used == before


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_numpy_reads_what_we_export(view):
    x = view(cuvec.asarray(np.arange(24.0).reshape(4, 6)))

    class Host:
        """Export x to the CPU, for versions of NumPy that cannot request it."""

        def __dlpack__(self, **arguments):
            return x.__dlpack__(**arguments | {"dl_device": (CPU, 0)})

        def __dlpack_device__(self):
            return (CPU, 0)

    y = np.from_dlpack(Host())
    np.testing.assert_array_equal(y, x)
    assert y.__array_interface__["data"][0] == x.ptr
    assert y.strides == x.strides
