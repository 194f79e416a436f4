"""Arrays imported through DLPack's methods: old exporters, unsupported elements, exceptions."""

import functools

import numpy as np
import pytest
from exporters import Capsule, Exchange
from package import axpy, cuvec, dot

FLOAT, INTEGER, BOOLEAN = 2, 0, 6


class Old:
    """An exporter from before DLPack 1.0, of the float32 array 1, 2, 3, 4."""

    def __init__(self):
        self.exported = []

    def __dlpack__(self, stream=None):
        self.exported.append(Capsule(b"dltensor"))
        return self.exported[-1].capsule

    def __dlpack_device__(self):
        return (1, 0)


class OldWithInterface(Old):
    """The same, whose `__cuda_array_interface__` says that its arrays are writable."""

    @property
    def __cuda_array_interface__(self):
        return {"data": (0, False), "shape": (4,), "typestr": "<f4", "version": 2}


class Oldest(Old):
    """An exporter without streams."""

    def __dlpack__(self):
        return super().__dlpack__()


@pytest.mark.parametrize("kind", [Old, OldWithInterface, Oldest])
def test_exporters_from_before_dlpack_1(kind):
    x = kind()
    assert dot(x, x) == 30
    np.testing.assert_array_equal(cuvec.asarray(x), [1, 2, 3, 4])
    y = cuvec.zeros(4)
    axpy(2, x, y)
    np.testing.assert_array_equal(y, [2, 4, 6, 8])


def test_arrays_of_old_exporters_are_written_only_if_they_say_they_are_writable():
    x = cuvec.ones(4)
    with pytest.raises(ValueError, match="read-only"):
        axpy(2, x, Old())
    y = OldWithInterface()
    axpy(2, x, y)
    assert list(y.exported[-1].elements) == [3, 4, 5, 6]


def test_exceptions_of_an_old_exporter_are_passed_on():
    class Broken(Old):
        def __dlpack__(self, stream=None):
            raise TypeError("on purpose")

    with pytest.raises(TypeError, match="on purpose"):
        dot(Broken(), Broken())


@pytest.mark.parametrize("name", [b"dltensor", b"dltensor_versioned"])
@pytest.mark.parametrize(
    ("code", "bits"),
    [
        *((FLOAT, bits) for bits in (*range(33, 40), 31, 63, 65, 71)),
        (INTEGER, 9),
        (INTEGER, 33),
        (BOOLEAN, 1),
        (BOOLEAN, 9),
    ],
)
def test_elements_of_other_sizes_are_refused(name, code, bits):
    capsule = Capsule(name, dtype=(code, bits, 1))
    x = Exchange(capsule.capsule, (1, 0))
    with pytest.raises(TypeError, match=r"not supported|dtype"):
        dot(x, np.ones(4, "f4"))


@pytest.mark.parametrize("name", [b"dltensor", b"dltensor_versioned"])
@pytest.mark.parametrize("lanes", [0, 2, 4, 2**16 - 1])
def test_vector_elements_are_refused(name, lanes):
    """DLPack's lanes: each element is a vector of so many."""
    capsule = Capsule(name, dtype=(FLOAT, 32, lanes))
    x, y = Exchange(capsule.capsule, (1, 0)), np.ones(4, "f4")
    for call in (lambda: dot(x, y), lambda: dot(y, x), lambda: axpy(1, x, y)):
        capsule.renew()
        x.capsule = capsule.capsule
        with pytest.raises((TypeError, ValueError), match=r"not supported|dtype"):
            call()
    assert (y == 1).all()


BEYOND = 2**62  # elements of four bytes: 2**64 bytes
STRIDED = {
    "2**64 bytes": ([2], [BEYOND]),
    "-2**64 bytes": ([2], [-BEYOND]),
    "2**64 bytes and one element": ([2], [BEYOND + 1]),
    "the highest": ([2], [2**63 - 1]),
    "the lowest": ([2], [-(2**63)]),
    "2**64 bytes, rows": ([2, 2], [BEYOND, 1]),
    "2**64 bytes, columns": ([2, 2], [2, BEYOND + 1]),
}


@pytest.mark.parametrize("case", STRIDED)
def test_strides_beyond_the_address_space_are_refused(case):
    shape, strides = STRIDED[case]
    capsule = Capsule(b"dltensor_versioned", ndim=len(shape), shape=shape, strides=strides)
    with pytest.raises(ValueError, match="strides beyond the address space"):
        dot(Exchange(capsule.capsule, (1, 0)), np.ones(shape, "f4"))


@pytest.mark.parametrize("stride", [BEYOND, -BEYOND, 2**63 - 1, 0])
def test_the_stride_of_a_dimension_of_one_element_is_ignored(stride):
    capsule = Capsule(b"dltensor_versioned", ndim=2, shape=[1, 4], strides=[stride, 1])
    assert dot(Exchange(capsule.capsule, (1, 0)), np.ones((1, 4), "f4")) == 10


@pytest.mark.parametrize("shape", [[2**62], [2**32, 2**32], [2**63 - 1], [2**31, 2**31, 2]])
def test_shapes_beyond_the_address_space_are_refused(shape):
    capsule = Capsule(b"dltensor_versioned", ndim=len(shape), shape=shape, no_strides=True)
    with pytest.raises(ValueError, match=r"large|overflow|address space"):
        dot(Exchange(capsule.capsule, (1, 0)), np.ones(4, "f4"))


TENSORS = {
    "C-contiguous without strides": (
        {"ndim": 2, "shape": [2, 2], "no_strides": True},
        [[1, 2], [3, 4]],
    ),
    "0-d without shape and strides": ({"ndim": 0, "no_shape": True, "no_strides": True}, 1),
    "columns": ({"ndim": 2, "shape": [2, 2], "strides": [1, 2]}, [[1, 3], [2, 4]]),
    "every other one": ({"shape": [2], "strides": [2]}, [1, 3]),
    "backwards behind an offset": ({"strides": [-1], "byte_offset": 12}, [4, 3, 2, 1]),
    "behind an offset": ({"shape": [3], "byte_offset": 4}, [2, 3, 4]),
    "empty, at no address": ({"shape": [0], "data": None}, []),
    "empty, with strides": (
        {"ndim": 2, "shape": [2, 0], "strides": [7, 7], "data": None},
        [[], []],
    ),
}


@pytest.mark.parametrize("name", [b"dltensor", b"dltensor_versioned"])
@pytest.mark.parametrize("case", TENSORS)
def test_a_tensor_is_what_it_says(name, case):
    changes, expected = TENSORS[case]
    capsule = Capsule(name, **changes)
    y = np.zeros(np.shape(expected), "f4")
    axpy(1, Exchange(capsule.capsule, (1, 0)), y)
    assert y.tolist() == expected


def test_dimensions_without_a_shape_are_refused():
    capsule = Capsule(b"dltensor_versioned", no_shape=True)
    with pytest.raises(ValueError, match="dimensions, but no shape"):
        dot(Exchange(capsule.capsule, (1, 0)), np.ones(4, "f4"))


@pytest.mark.parametrize("flags", [1, 2, 3])
def test_tensors_that_are_read_only_or_copied_are_not_written(flags):
    capsule = Capsule(b"dltensor_versioned", flags=flags)
    with pytest.raises(ValueError, match="y is written to, but it is read-only"):
        axpy(1, np.ones(4, "f4"), Exchange(capsule.capsule, (1, 0)))
    assert list(capsule.elements) == [1, 2, 3, 4]


def test_a_recursion_error_stays_one():
    """It has no traceback, because it is raised in C."""
    nested = []
    for _ in range(100_000):
        nested = [nested]

    class Deep:
        __dlpack__ = staticmethod(functools.partial("{0!r}".format, nested))

        def __dlpack_device__(self):
            return (1, 0)

    with pytest.raises(RecursionError):
        dot(Deep(), Deep())


class Refusing:
    """An exporter that says where its array is, and then raises."""

    def __init__(self, device):
        self.device, self.asked = device, 0

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_arguments):
        self.asked += 1
        raise BufferError("on purpose")


def test_only_a_type_error_means_an_old_exporter():
    x = Refusing((1, 0))
    with pytest.raises(BufferError, match="on purpose"):
        dot(x, x)
    assert x.asked == 1


def test_a_negative_device_is_refused():
    x = Refusing((1, -1))
    with pytest.raises(ValueError, match="device -1, but indices are not negative"):
        dot(x, x)
    assert x.asked == 0
