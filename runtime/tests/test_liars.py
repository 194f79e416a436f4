"""Objects that are no arrays, or other ones than they say: the promised exception, and the next valid call works."""

import contextlib

import exporters
import fuzzing
import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from package import address, axpy, core, cuvec, dot


def check_liar(liar):
    """It is refused, or taken for what it says: it may even say something true."""
    for call in (
        lambda: dot(liar, np.ones(4, "f4")),
        lambda: axpy(0, np.ones(4, "f4"), liar),
        lambda: core.assign(np.ones(4, "f4"), liar),
        lambda: address(liar),
        lambda: cuvec.asarray(liar),
    ):
        with contextlib.suppress(fuzzing.PROMISED):
            call()
    fuzzing.check_that_everything_works()


def interface_of(x):
    """A true `__cuda_array_interface__`, as far as there can be one without a GPU."""
    true = {"shape": (4,), "typestr": "<f4", "data": (x.ptr, False), "version": 3, "strides": None}
    return dict(getattr(x, "__cuda_array_interface__", true))


lies = st.fixed_dictionaries(
    {},
    optional={
        "shape": st.sampled_from(exporters.JUNK)
        | st.lists(st.sampled_from(exporters.EXTENTS), max_size=4).map(tuple),
        "typestr": st.sampled_from(exporters.JUNK + exporters.TYPESTRS),
        "data": st.sampled_from(exporters.JUNK)
        | st.tuples(
            st.sampled_from(exporters.POINTERS + exporters.JUNK), st.sampled_from(exporters.JUNK)
        ),
        "version": st.sampled_from(exporters.JUNK),
        "strides": st.sampled_from(exporters.JUNK)
        | st.lists(st.sampled_from(exporters.EXTENTS), max_size=4).map(tuple),
        "stream": st.sampled_from(exporters.STREAMS),
        "mask": st.sampled_from(exporters.JUNK),
    },
)


@fuzzing.fuzz
@hypothesis.given(lies, st.sets(st.sampled_from(exporters.INTERFACE_KEYS), max_size=2))
def test_cuda_array_interfaces_that_lie(lie, missing):
    x = cuvec.ones(4)
    interface = {key: value for key, value in (interface_of(x) | lie).items() if key not in missing}
    check_liar(exporters.Interface(interface))


@fuzzing.fuzz
@hypothesis.given(st.sampled_from([*exporters.JUNK, object()]))
def test_cuda_array_interfaces_that_are_none(junk):
    check_liar(exporters.Interface(junk))


tensors = st.fixed_dictionaries(
    {"name": st.sampled_from([b"dltensor", b"dltensor_versioned", b"used_dltensor", b"other"])},
    optional={
        "ndim": st.sampled_from([0, 1, 2, 64, -1]),
        "shape": st.lists(st.sampled_from(exporters.EXTENTS), max_size=exporters.AXES),
        "strides": st.lists(st.sampled_from(exporters.EXTENTS), max_size=exporters.AXES),
        "no_strides": st.booleans(),
        "dtype": st.tuples(
            st.integers(0, 20), st.sampled_from([0, 1, 16, 32, 64, 255]), st.integers(0, 4)
        ),
        "device": st.sampled_from(
            [device for device in exporters.DEVICES if exporters.is_device(device)]
        ),
        "major": st.sampled_from([0, 1, 2, 2**31]),
        "flags": st.sampled_from([0, 1, 2, 2**63]),
        "data": st.sampled_from([None]),
    },
)


@fuzzing.fuzz
@hypothesis.given(tensors, st.sampled_from(exporters.DEVICES))
def test_dlpack_that_lies(tensor, device):
    capsule = exporters.Capsule(**tensor)
    check_liar(exporters.Exchange(capsule.capsule, device))


@fuzzing.fuzz
@hypothesis.given(st.sampled_from(exporters.JUNK), st.sampled_from(exporters.DEVICES))
def test_dlpack_that_is_none(junk, device):
    check_liar(exporters.Exchange(junk, device))


@pytest.mark.gpu
@pytest.mark.parametrize("name", [b"dltensor", b"dltensor_versioned"])
@pytest.mark.parametrize("device", [(2, 0), (13, 0)])
def test_memory_of_the_host_is_not_taken_for_the_gpus(name, device):
    capsule = exporters.Capsule(name, device=device)
    with pytest.raises(ValueError, match="GPU memory"):
        dot(exporters.Exchange(capsule.capsule, device), cuvec.ones(4))
    fuzzing.check_that_everything_works()


@pytest.mark.parametrize(
    "error", [AttributeError, BufferError, KeyError, OverflowError, RuntimeError]
)
@pytest.mark.parametrize("where", ["__cuda_array_interface__", "__dlpack__", "__dlpack_device__"])
def test_exceptions_of_exporters_are_passed_on(error, where):
    exporter = {
        "__cuda_array_interface__": exporters.Interface(error("own")),
        "__dlpack__": exporters.Exchange(error("own"), (1, 0)),
        "__dlpack_device__": exporters.Exchange(None, error("own")),
    }[where]
    no_interface = (error, where) == (AttributeError, "__cuda_array_interface__")
    with pytest.raises(TypeError if no_interface else error):
        address(exporter)
    fuzzing.check_that_everything_works()
