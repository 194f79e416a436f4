"""Functions that make arrays: `empty`, `zeros`, `ones`, `full` and their `_like`."""

import numpy as np
import pytest
from package import cuvec

DTYPES = "?bBhHiIlLqQefdFD"
SHAPES = [(), (0,), (1,), (7,), (3, 0, 2), (3, 5), (2, 3, 4), (1,) * 8, (2,) + (1,) * 30 + (2,)]
MEMORY = ["managed", "pinned"]
CREATE = [cuvec.empty, cuvec.zeros, cuvec.ones]


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_shape_dtype_and_memory(dtype, shape, memory):
    for create in CREATE:
        x = create(shape, dtype, memory)
        assert type(x) is cuvec.CuVec
        assert (x.shape, x.dtype, x.memory) == (shape, np.dtype(dtype), memory)
        assert x.flags.c_contiguous
        assert x.flags.writeable
        assert x.flags.aligned


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_values(dtype, shape, memory):
    np.testing.assert_array_equal(cuvec.zeros(shape, dtype, memory), np.zeros(shape, dtype))
    np.testing.assert_array_equal(cuvec.ones(shape, dtype, memory), np.ones(shape, dtype))
    expected = np.full(shape, 3, dtype)
    np.testing.assert_array_equal(cuvec.full(shape, 3, dtype, memory), expected)


@pytest.mark.parametrize("memory", MEMORY)
def test_zeros_in_recycled_memory(memory):
    for size in (1, 100, 5000, 1 << 20):
        used = cuvec.full(size, 7, memory=memory)
        del used
        assert not cuvec.zeros(size, memory=memory).any()


def test_float32_in_managed_memory_is_the_default():
    for x in (*(create(3) for create in CREATE), cuvec.full(3, 1), cuvec.CuVec(3)):
        assert (x.dtype, x.memory) == (np.float32, "managed")
    assert cuvec.zeros(3, dtype=None).dtype == np.float32


def test_full_takes_an_array_that_broadcasts():
    np.testing.assert_array_equal(cuvec.full((2, 3), [1, 2, 3]), [[1, 2, 3], [1, 2, 3]])


@pytest.mark.parametrize("shape", [4, np.int64(4), [4], (np.int32(4),), np.array([4])])
def test_shape_is_an_integer_or_a_sequence(shape):
    assert cuvec.zeros(shape).shape == (4,)


@pytest.mark.parametrize("dtype", ["float64", "d", float, np.float64, np.dtype("f8")])
def test_dtype_is_whatever_numpy_understands(dtype):
    assert cuvec.zeros(2, dtype).dtype == np.float64


def test_the_class_makes_empty_arrays():
    x = cuvec.CuVec((2, 3), "int16", "pinned")
    assert (type(x), x.shape, x.dtype, x.memory) == (cuvec.CuVec, (2, 3), np.int16, "pinned")


def test_memory_is_aligned_for_vector_instructions():
    assert all(cuvec.zeros(size).ptr % 64 == 0 for size in (1, 3, 17, 1000, 100_000))


@pytest.mark.parametrize("memory", MEMORY)
def test_like_uses_the_same_shape_dtype_and_memory(memory):
    x = cuvec.ones((2, 3), "int16", memory)
    likes = (cuvec.empty_like(x), cuvec.zeros_like(x), cuvec.ones_like(x), cuvec.full_like(x, 5))
    for y in likes:
        assert type(y) is cuvec.CuVec
        assert (y.shape, y.dtype, y.memory) == (x.shape, x.dtype, x.memory)
        assert not np.shares_memory(x, y)
    for y, value in zip(likes[1:], (0, 1, 5), strict=True):
        np.testing.assert_array_equal(y, np.full((2, 3), value))


def test_like_can_change_dtype_and_memory():
    x = cuvec.zeros_like(cuvec.ones(3), "float64", "pinned")
    assert (x.dtype, x.memory) == (np.float64, "pinned")


def test_like_of_other_objects():
    y = cuvec.zeros_like(np.ones((2, 3), ">i4").T)
    assert (y.shape, y.dtype, y.memory) == ((3, 2), np.dtype("i4"), "managed")
    assert y.flags.c_contiguous
    assert cuvec.ones_like([1.0, 2.0]).shape == (2,)


@pytest.mark.parametrize("dtype", ["g", "G", "O", "U3", "S3", "M8[s]", ">f4", "V4", "i4,f4"])
def test_other_dtypes_are_refused(dtype):
    for create in CREATE:
        with pytest.raises(TypeError, match="dtype"):
            create(3, dtype)


@pytest.mark.parametrize("dtype", ["nonsense", 3.5, [("a", "f4")]])
def test_invalid_dtypes_are_refused(dtype):
    with pytest.raises(TypeError):
        cuvec.zeros(3, dtype)


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="NumPy has no StringDType")
def test_texts_of_any_length_are_refused():
    for create in CREATE:
        with pytest.raises(TypeError, match="unsupported dtype"):
            create(3, np.dtypes.StringDType())
    texts = np.array(["x"], np.dtypes.StringDType())
    for create in (cuvec.asarray, cuvec.copy, cuvec.zeros_like):
        with pytest.raises(TypeError, match="unsupported dtype"):
            create(texts)


@pytest.mark.parametrize("shape", [-1, (-1,), (3, -2), (0, -1), (-(2**70),), (3, -(2**63) - 1)])
def test_negative_shapes_are_refused(shape):
    for create in CREATE:
        with pytest.raises(ValueError, match="negative"):
            create(shape)


@pytest.mark.parametrize("shape", [1 << 62, 1 << 60, (1 << 32, 1 << 32), (1 << 70,), (3, 1 << 61)])
def test_shapes_beyond_the_address_space_are_refused(shape):
    for create in CREATE:
        with pytest.raises(ValueError, match=r"address space|overflow|too (large|big)"):
            create(shape, "float64")


class TooLarge:
    def __index__(self):
        raise OverflowError("on purpose")


def test_exceptions_of_a_size_are_passed_on():
    with pytest.raises(OverflowError, match=r"^on purpose$"):
        cuvec.empty((3, TooLarge()))


@pytest.mark.parametrize("size", [2**63, 2**64, 2**70])
def test_messages_contain_the_size(size):
    class Size:
        def __index__(self):
            return size

    with pytest.raises(
        ValueError, match=f"^the size {size} of a dimension is larger than the address space$"
    ):
        cuvec.empty((3, Size()))


@pytest.mark.parametrize("memory", MEMORY)
def test_shapes_beyond_the_memory_are_refused(memory):
    for create in CREATE:
        with pytest.raises(MemoryError):
            create(1 << 50, "float64", memory)
    assert cuvec.ones(3, memory=memory).sum() == 3


@pytest.mark.parametrize("shape", [2.0, "3", None, (2.5,), object()])
def test_shapes_that_are_not_integers_are_refused(shape):
    with pytest.raises(TypeError):
        cuvec.zeros(shape)


def test_ranks_beyond_numpys_are_refused():
    with pytest.raises(ValueError, match="dimension"):
        cuvec.zeros((1,) * 100)


@pytest.mark.parametrize("memory", ["device", "", "Managed"])
def test_other_kinds_of_memory_are_refused(memory):
    with pytest.raises(ValueError, match="managed"):
        cuvec.zeros(3, memory=memory)
