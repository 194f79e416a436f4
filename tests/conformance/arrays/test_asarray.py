"""`asarray` shares memory where it can, `copy` never does."""

import array

import numpy as np
import pytest
from package import cuvec


def test_asarray_returns_a_cuvec_as_it_is():
    x = cuvec.ones((2, 3))
    assert cuvec.asarray(x) is x
    assert cuvec.asarray(x, "float32", "managed") is x


def test_asarray_shares_the_memory_of_a_raw_buffer():
    x = cuvec.ones((2, 3), "int16", "pinned")
    y = cuvec.asarray(x.cuvec)
    assert type(y) is cuvec.CuVec
    assert (y.shape, y.dtype, y.memory, y.ptr) == (x.shape, x.dtype, x.memory, x.ptr)
    y[0, 0] = 5
    assert x[0, 0] == 5


def test_asarray_shares_the_memory_of_numpy_views():
    x = cuvec.ones(6)
    y = cuvec.asarray(np.asarray(x)[::2])
    assert type(y) is cuvec.CuVec
    assert np.shares_memory(x, y)
    assert y.strides == (8,)


def test_asarray_of_a_buffer_keeps_the_memory_alive():
    y = cuvec.asarray(cuvec.full(1000, 7).cuvec)
    cuvec.zeros(1000)
    assert (y == 7).all()


@pytest.mark.parametrize(("dtype", "memory"), [("float64", None), (None, "pinned")])
def test_asarray_copies_to_another_dtype_or_memory(dtype, memory):
    x = cuvec.ones((2, 3))
    y = cuvec.asarray(x, dtype, memory)
    assert (y.dtype, y.memory) == (np.dtype(dtype or "float32"), memory or "managed")
    assert not np.shares_memory(x, y)
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize(
    "source",
    [
        np.arange(6, dtype="i2").reshape(2, 3),
        np.arange(6.0).reshape(3, 2).T,
        np.arange(12)[::-2],
        np.array(5.0),
        np.zeros((0, 3), "u1"),
        np.arange(4, dtype=">f8"),
        array.array("f", [1, 2, 3]),
        pytest.param(memoryview(b"abc"), id="memoryview"),
        bytearray(b"abc"),
        [[1, 2], [3, 4]],
        [True, False],
        2.5,
    ],
    ids=repr,
)
def test_asarray_copies_everything_else(source):
    expected = np.asarray(source)
    for y in (cuvec.asarray(source), cuvec.copy(source)):
        assert type(y) is cuvec.CuVec
        assert (y.dtype, y.memory) == (expected.dtype.newbyteorder("="), "managed")
        assert y.flags.c_contiguous
        assert not np.shares_memory(y, expected)
        np.testing.assert_array_equal(y, expected)


def test_asarray_takes_objects_that_only_have_dlpack():
    class Exporter:
        array = np.arange(6.0).reshape(2, 3)

        def __dlpack__(self, **arguments):
            return self.array.__dlpack__(**arguments)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    np.testing.assert_array_equal(cuvec.asarray(Exporter()), Exporter.array)


def test_copy_is_contiguous_and_in_memory_of_the_same_kind():
    x = cuvec.asarray(np.arange(6).reshape(2, 3), memory="pinned")
    for source in (x, x.T, x[:, ::2], x[::-1]):
        y = cuvec.copy(source)
        assert type(y) is cuvec.CuVec
        assert y.memory == "pinned"
        assert y.flags.c_contiguous
        assert not np.shares_memory(x, y)
        np.testing.assert_array_equal(y, source)


def test_copy_of_a_raw_buffer():
    x = cuvec.ones(3, memory="pinned")
    y = cuvec.copy(x.cuvec)
    assert y.memory == "pinned"
    assert not np.shares_memory(x, y)


@pytest.mark.parametrize("source", [np.zeros(2, "g"), np.array(["a"]), [object()], "text", None])
def test_other_dtypes_are_refused(source):
    with pytest.raises(TypeError, match="dtype"):
        cuvec.asarray(source)


def test_other_kinds_of_memory_are_refused():
    for source in (cuvec.ones(3), np.ones(3)):
        with pytest.raises(ValueError, match="managed"):
            cuvec.asarray(source, memory="device")


class Once:
    """An array that can be converted once."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        array, self.array = self.array, None
        assert array is not None, "it was converted before"
        return array


class OnceDlpack(Once):
    """The same with DLPack."""

    def __dlpack__(self, **_arguments):
        return super().__array__().__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)

    __array__ = property()


@pytest.mark.parametrize("kind", [Once, OnceDlpack])
@pytest.mark.parametrize("make", [cuvec.asarray, cuvec.copy])
def test_an_object_is_converted_once(make, kind):
    assert make(kind(np.arange(3.0))).tolist() == [0, 1, 2]
