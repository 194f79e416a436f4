"""Functions take any kind of array, in any combination."""

import array
import ctypes
import enum
import itertools

import exporters
import numpy as np
import pytest
from package import axpy, core, cuvec, dot


def ctypes_array(values):
    return (ctypes.c_float * len(values))(*values)


def memoryview_of_bytes(values):
    return memoryview(bytearray(np.array(values, "f4").tobytes())).cast("f")


def plain(values):
    return np.array(values, "f4")


# how to make each kind of array; numpy.asarray reads it, or its attribute `array`
KINDS = {
    "managed": lambda values: cuvec.asarray(plain(values)),
    "pinned": lambda values: cuvec.asarray(plain(values), memory="pinned"),
    "raw buffer": lambda values: cuvec.asarray(plain(values)).cuvec,
    "numpy": plain,
    "array.array": lambda values: array.array("f", values),
    "ctypes": ctypes_array,
    "memoryview": memoryview_of_bytes,
    "dlpack of cuvec": lambda values: exporters.Dlpack(cuvec.asarray(plain(values))),
}
READ_ONLY_KINDS = {"bytes": lambda values: memoryview(plain(values).tobytes()).cast("f")}
GPU_KINDS = {
    "__cuda_array_interface__": lambda values: exporters.CudaArrayInterface(
        cuvec.asarray(plain(values))
    ),
    "__cuda_array_interface__ of pinned": lambda values: exporters.CudaArrayInterface(
        cuvec.asarray(plain(values), memory="pinned")
    ),
}
PAIRS = list(itertools.product(KINDS | READ_ONLY_KINDS, KINDS))
ANY_KIND = KINDS | READ_ONLY_KINDS | GPU_KINDS
GPU_PAIRS = [pair for pair in itertools.product(ANY_KIND, KINDS | GPU_KINDS) if pair not in PAIRS]


def values_of(argument):
    return np.array(getattr(argument, "array", argument))


def check_axpy(x_kind, y_kind):
    x, y = ANY_KIND[x_kind]([1, 2, 3]), ANY_KIND[y_kind]([10, 20, 30])
    axpy(2, x, y)
    np.testing.assert_array_equal(values_of(x), [1, 2, 3])
    np.testing.assert_array_equal(values_of(y), [12, 24, 36])


@pytest.mark.parametrize(("x_kind", "y_kind"), PAIRS)
def test_axpy_takes_any_two_kinds(x_kind, y_kind):
    check_axpy(x_kind, y_kind)


@pytest.mark.gpu
@pytest.mark.parametrize(("x_kind", "y_kind"), GPU_PAIRS)
def test_axpy_takes_any_two_kinds_on_the_gpu(x_kind, y_kind):
    check_axpy(x_kind, y_kind)


@pytest.mark.parametrize(("x_kind", "y_kind"), PAIRS)
def test_dot_takes_any_two_kinds(x_kind, y_kind):
    assert dot(ANY_KIND[x_kind]([1, 2, 3]), ANY_KIND[y_kind]([10, 20, 30])) == 140


@pytest.mark.gpu
@pytest.mark.parametrize(("x_kind", "y_kind"), GPU_PAIRS)
def test_dot_takes_any_two_kinds_on_the_gpu(x_kind, y_kind):
    assert dot(ANY_KIND[x_kind]([1, 2, 3]), ANY_KIND[y_kind]([10, 20, 30])) == 140


@pytest.mark.gpu
@pytest.mark.parametrize("kind", ["dlpack of cuvec", *GPU_KINDS])
def test_arrays_on_the_gpu_are_copied_by_asarray(kind):
    source = ANY_KIND[kind]([1, 2, 3])
    for x in (cuvec.asarray(source.array), cuvec.copy(source.array)):
        np.testing.assert_array_equal(x, [1, 2, 3])


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_asarray_takes_arrays_that_only_the_gpu_can_read(dtype):
    x = cuvec.ones((2, 3), dtype)
    y = cuvec.asarray(exporters.CudaArrayInterface(x))
    assert (type(y), y.dtype, y.memory) == (cuvec.CuVec, x.dtype, "managed")
    assert not np.shares_memory(x, y)
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("size", [1, 1000, 1 << 14, 16_385, 1 << 18, 262_145, (1 << 22) + 1])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_plain_arrays_of_any_size_are_staged(dtype, size):
    x, y = np.arange(size, dtype=dtype), np.ones(size, dtype)
    axpy(0.5, x, y)
    np.testing.assert_array_equal(y, 0.5 * x + 1)
    assert dot(np.ones(size, dtype), np.ones(size, dtype)) == size


def test_large_arrays_of_both_kinds_in_one_call():
    n = (1 << 20) + 5
    x, y = cuvec.ones(n), np.arange(n, dtype="f4")
    axpy(1, x, y)
    axpy(1, y, x)
    np.testing.assert_array_equal(x, np.arange(n, dtype="f4") + 2)


def test_numpy_scalars_are_0d_arrays():
    y = cuvec.ones(())
    axpy(2, np.float32(3), y)
    assert y == 7
    assert dot(np.float64(3), np.float64(4)) == 12


def test_numpy_views_of_cuvec_arrays():
    x, y = cuvec.ones(10), cuvec.zeros(10)
    axpy(2, np.asarray(x)[2:5], np.asarray(y)[5:8])
    np.testing.assert_array_equal(y, [0, 0, 0, 0, 0, 2, 2, 2, 0, 0])


def test_contiguous_reshapes_are_contiguous():
    x, y = cuvec.ones((3, 1, 4)), cuvec.zeros((3, 1, 4))
    axpy(1, x.transpose(1, 0, 2), y.transpose(1, 0, 2))
    assert y.sum() == 12


@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_assign_copies_every_dtype(dtype, memory):
    x, y = cuvec.ones((2, 3), dtype), cuvec.zeros((2, 3), dtype, memory)
    core.assign(x, y)
    np.testing.assert_array_equal(x, y)
    core.assign(np.zeros((2, 3), dtype), y)
    assert not y.any()
    out = np.zeros((2, 3), dtype)
    core.assign(x, out)
    np.testing.assert_array_equal(x, out)


@pytest.mark.parametrize("name", [b"dltensor", b"dltensor_versioned"])
def test_the_byte_offset_of_dlpack_is_added(name):
    capsule = exporters.Capsule(name, shape=[3], byte_offset=4)  # of 1, 2, 3, 4
    assert dot(exporters.Exchange(capsule.capsule, (1, 0)), np.ones(3, "f4")) == 2 + 3 + 4


def test_the_device_of_dlpack_may_be_an_enumerator():
    device = enum.IntEnum("DeviceType", {"CPU": 1}).CPU
    capsule = exporters.Capsule(b"dltensor")
    assert dot(exporters.Exchange(capsule.capsule, (device, 0)), np.ones(4, "f4")) == 1 + 2 + 3 + 4
