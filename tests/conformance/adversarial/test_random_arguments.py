"""Random arguments: the right result or a documented exception, and the next valid call works."""

import errors
import exporters
import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from package import axpy, cuvec, dot

DTYPES = ["e", "?", "i1", "i4", "u8", "c8", ">f4", ">f8", "f4,f4", "M8[s]", "O", "U2", "V4"]
SHAPES = [(4,), (4,), (4,), (2, 3), (0,), (), (1,), (3, 0), (5, 1, 2)]


class Subclass(np.ndarray):
    """A subclass that changes nothing."""


VIEWS = {
    "slice": lambda x: x[1:],
    "every second": lambda x: x[..., ::2],
    "backwards": lambda x: x[::-1],
    "transposed": lambda x: x.T,
    "another dimension": lambda x: x[np.newaxis],
    "0-d": lambda x: x.reshape(-1)[:1].reshape(()) if x.size else x,
    "repeated": lambda x: np.broadcast_to(x, (2, *x.shape), subok=True),
}
WRAPPERS = {
    "subclass": lambda x: x.view(Subclass),
    "matrix": lambda x: x.view(np.matrix),
    "masked": lambda x: np.ma.masked_array(x, copy=False),
    "memoryview": memoryview,
    "DLPack": exporters.Dlpack,
}


@st.composite
def arrays(draw):
    """A small array of integers, exact in float32 arithmetic, in memory of any kind."""
    dtype = np.dtype(draw(st.sampled_from(["f4"] * 20 + ["f8"] * 10 + DTYPES)))
    shape = draw(st.sampled_from(SHAPES))
    numbers = np.resize(draw(st.lists(st.integers(-8, 8), min_size=1, max_size=6)), shape)
    memory = draw(st.sampled_from(["NumPy", "managed", "pinned", "odd address"]))
    if dtype not in (np.dtype("f4"), np.dtype("f8")):
        return np.ones(shape, dtype) if dtype.names else numbers.astype("i8").astype(dtype)
    if memory == "odd address":
        bytes_ = bytearray(numbers.size * dtype.itemsize + 1)
        x = np.ndarray(shape, dtype, bytes_, offset=1)
        x[...] = numbers
        return x
    if memory == "NumPy":
        return numbers.astype(dtype)
    return cuvec.asarray(numbers.astype(dtype), memory=memory)


@st.composite
def arguments(draw):
    """An argument, and the ndarray whose memory it exports."""
    x = draw(arrays())
    for view in draw(st.lists(st.sampled_from(list(VIEWS)), max_size=2)):
        x = VIEWS[view](x) if x.ndim else x
    if draw(st.sampled_from([False, False, False, True])):
        x = x.view()
        x.flags.writeable = False
    wrapper = draw(st.sampled_from([None] * 5 + list(WRAPPERS)))
    if wrapper is None or not x.flags.aligned:  # NumPy does not export all of those
        return x, x
    try:
        wrapped = WRAPPERS[wrapper](x)
    except (TypeError, ValueError):  # NumPy refuses it
        return x, x
    return wrapped, wrapped if isinstance(wrapped, np.ndarray) else x


def is_read(x):
    floats = x.dtype in (np.dtype("f4"), np.dtype("f8"))
    return floats and not isinstance(x, np.ma.MaskedArray)


def is_written(x):
    return is_read(x) and x.flags.writeable


def is_broadcast(x, shape):
    try:
        return np.broadcast_shapes(x.shape, shape) == shape
    except ValueError:
        return False


def content(*arrays):
    """Return the bytes of arrays, except arrays of objects."""
    return [np.asarray(x).tobytes() for x in arrays if x.dtype != object]


def check(call, valid, *arrays):
    """Make the call if it is valid, else check that it is refused and writes nothing."""
    if valid:
        return call()
    before = content(*arrays)
    with pytest.raises(errors.PROMISED):
        call()
    assert content(*arrays) == before
    errors.check_that_everything_works()
    return None


two = st.tuples(arguments(), arguments(), st.sampled_from([False] * 5 + [True])).map(
    lambda drawn: (drawn[0], drawn[0] if drawn[2] else drawn[1])
)


@errors.fuzz
@hypothesis.given(two, st.integers(-4, 4))
def test_axpy(both, a):
    (x, memory_x), (y, memory_y) = both
    valid = (
        is_read(memory_x)
        and is_written(memory_y)
        and memory_x.dtype == memory_y.dtype
        and is_broadcast(memory_x, memory_y.shape)
    )
    expected = np.array(memory_y) + a * np.array(memory_x) if valid else None
    check(lambda: axpy(a, x, y), valid, memory_x, memory_y)
    if valid:
        np.testing.assert_array_equal(np.asarray(memory_y), expected)


@errors.fuzz
@hypothesis.given(two)
def test_dot(both):
    (x, memory_x), (y, memory_y) = both
    both_are_read = is_read(memory_x) and is_read(memory_y)
    valid = both_are_read and memory_x.dtype == memory_y.dtype and memory_x.shape == memory_y.shape
    result = check(lambda: dot(x, y), valid, memory_x, memory_y)
    assert not valid or result == (np.array(memory_x) * np.array(memory_y)).sum()


@errors.fuzz
@hypothesis.given(
    st.one_of(st.floats(), st.integers(), st.text(), st.none(), st.binary(), st.complex_numbers())
)
def test_scalars(a):
    """`a` takes what float() takes and float32 can hold, except text."""
    x, y = cuvec.ones(3), cuvec.ones(3)
    try:
        if isinstance(a, (str, bytes)):
            raise TypeError
        with np.errstate(over="ignore", invalid="ignore"):
            expected = np.float32(1) + np.float32(float(a))
        if np.isinf(expected) and np.isfinite(float(a)):
            raise OverflowError
    except OverflowError:
        with pytest.raises(OverflowError):
            axpy(a, x, y)
    except (TypeError, ValueError):
        with pytest.raises(TypeError):
            axpy(a, x, y)
    else:
        axpy(a, x, y)
        np.testing.assert_array_equal(y, np.full(3, expected))
