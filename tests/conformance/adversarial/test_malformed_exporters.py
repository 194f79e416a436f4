"""Malformed exporters: they raise one of the documented exceptions, and the next valid call works."""

import contextlib

import errors
import exporters
import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from package import address, axpy, core, cuvec, dot


def check_malformed(exporter):
    """It is refused, or accepted: random changes may leave it well-formed."""
    for call in (
        lambda: dot(exporter, np.ones(4, "f4")),
        lambda: axpy(0, np.ones(4, "f4"), exporter),
        lambda: core.assign(np.ones(4, "f4"), exporter),
        lambda: address(exporter),
        lambda: cuvec.asarray(exporter),
    ):
        with contextlib.suppress(errors.PROMISED):
            call()
    errors.check_that_everything_works()


def interface_of(x):
    """Return the `__cuda_array_interface__` of an array; without a GPU, what it would be."""
    without_gpu = {
        "shape": (4,),
        "typestr": "<f4",
        "data": (x.ptr, False),
        "version": 3,
        "strides": None,
    }
    return dict(getattr(x, "__cuda_array_interface__", without_gpu))


changes = st.fixed_dictionaries(
    {},
    optional={
        "shape": st.sampled_from(exporters.JUNK)
        | st.lists(st.sampled_from(exporters.SIZES), max_size=4).map(tuple),
        "typestr": st.sampled_from(exporters.JUNK + exporters.TYPESTRS),
        "data": st.sampled_from(exporters.JUNK)
        | st.tuples(
            st.sampled_from(exporters.POINTERS + exporters.JUNK), st.sampled_from(exporters.JUNK)
        ),
        "version": st.sampled_from(exporters.JUNK),
        "strides": st.sampled_from(exporters.JUNK)
        | st.lists(st.sampled_from(exporters.SIZES), max_size=4).map(tuple),
        "stream": st.sampled_from(exporters.STREAMS),
        "mask": st.sampled_from(exporters.JUNK),
    },
)


@errors.fuzz
@hypothesis.given(changes, st.sets(st.sampled_from(exporters.INTERFACE_KEYS), max_size=2))
def test_malformed_cuda_array_interfaces(change, missing):
    x = cuvec.ones(4)
    interface = {
        key: value for key, value in (interface_of(x) | change).items() if key not in missing
    }
    check_malformed(exporters.Interface(interface))


@pytest.mark.parametrize("interface", [5, [], (), "shape"], ids=repr)
def test_an_interface_that_is_no_dict(interface):
    with pytest.raises(TypeError, match=r"^the array's __cuda_array_interface__ is no dict$"):
        dot(exporters.Interface(interface), cuvec.ones(4))


@errors.fuzz
@hypothesis.given(st.sampled_from([*exporters.JUNK, object()]))
def test_invalid_cuda_array_interfaces(junk):
    check_malformed(exporters.Interface(junk))


tensors = st.fixed_dictionaries(
    {"name": st.sampled_from([b"dltensor", b"dltensor_versioned", b"used_dltensor", b"other"])},
    optional={
        "ndim": st.sampled_from([0, 1, 2, 64, -1]),
        "shape": st.lists(st.sampled_from(exporters.SIZES), max_size=exporters.MAX_DIMS),
        "strides": st.lists(st.sampled_from(exporters.STRIDES), max_size=exporters.MAX_DIMS),
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


@errors.fuzz
@hypothesis.given(tensors, st.sampled_from(exporters.DEVICES))
def test_malformed_dlpack_tensors(tensor, device):
    capsule = exporters.Capsule(**tensor)
    check_malformed(exporters.Exchange(capsule.capsule, device))


@errors.fuzz
@hypothesis.given(st.sampled_from(exporters.JUNK), st.sampled_from(exporters.DEVICES))
def test_invalid_dlpack_capsules(junk, device):
    check_malformed(exporters.Exchange(junk, device))


@pytest.mark.gpu
@pytest.mark.parametrize("name", [b"dltensor", b"dltensor_versioned"])
@pytest.mark.parametrize("device", [(2, 0), (13, 0)])
def test_host_memory_is_not_mistaken_for_gpu_memory(name, device):
    capsule = exporters.Capsule(name, device=device)
    with pytest.raises(ValueError, match="GPU memory"):
        dot(exporters.Exchange(capsule.capsule, device), cuvec.ones(4))
    errors.check_that_everything_works()


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
    missing_attribute = (error, where) == (AttributeError, "__cuda_array_interface__")
    with pytest.raises(TypeError if missing_attribute else error):
        address(exporter)
    errors.check_that_everything_works()
