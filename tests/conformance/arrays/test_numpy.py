"""Arrays in NumPy: views share memory and are CuVec arrays, results of NumPy are plain arrays."""

import copy

import numpy as np
import pytest
from package import cuvec, module


@pytest.fixture
def x():
    return cuvec.asarray(np.arange(24, dtype="f4").reshape(4, 6))


def is_plain(result):
    return type(result) is np.ndarray


VIEWS = {
    "slice": lambda x: x[1:3],
    "steps": lambda x: x[::-1, ::2],
    "row": lambda x: x[1],
    "new axis": lambda x: x[:, None],
    "ellipsis": lambda x: x[..., 0],
    "transpose": lambda x: x.T,
    "reshape": lambda x: x.reshape(2, 12),
    "ravel": lambda x: x.ravel(),
    "swapaxes": lambda x: x.swapaxes(0, 1),
    "squeeze": lambda x: x[:1].squeeze(),
    "squeeze to 0-d": lambda x: x[:1, :1].squeeze(),
    "diagonal": lambda x: x.diagonal(),
    "view": lambda x: x.view("i4"),
    "view as complex": lambda x: x.view("c8"),
    "np.transpose": np.transpose,
    "np.expand_dims": lambda x: np.expand_dims(x, 0),
    "np.split": lambda x: np.split(x, 2)[1],
    "np.broadcast_to": lambda x: np.broadcast_to(x, (2, 4, 6), subok=True),
    "iteration": lambda x: next(iter(x)),
    "of a view": lambda x: x[1:].T[2:].reshape(-1, 1, 3)[1:],
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_views_share_memory_and_type(x, view):
    y = view(x)
    assert type(y) is cuvec.CuVec
    assert np.shares_memory(x, y)
    assert y.cuvec is x.cuvec
    assert y.memory == x.memory


RESULTS = {
    "sum of two": lambda x: x + x,
    "with a scalar": lambda x: 2 * x,
    "with a plain array": lambda x: np.ones(6) - x,
    "negative": lambda x: -x,
    "comparison": lambda x: x > 3,
    "matmul": lambda x: x @ x.T,
    "divmod": lambda x: divmod(x, 2)[1],
    "ufunc": np.sqrt,
    "reduction": lambda x: x.sum(axis=0),
    "keepdims": lambda x: x.mean(keepdims=True),
    "np.max": lambda x: np.max(x, axis=1),
    "accumulate": np.add.accumulate,
    "cumsum": lambda x: x.cumsum(),
    "astype": lambda x: x.astype("f8"),
    "flatten": lambda x: x.flatten(),
    "ravel of a transpose": lambda x: x.T.ravel(),
    "reshape of a transpose": lambda x: x.T.reshape(-1),
    "repeat": lambda x: x.repeat(2),
    "take": lambda x: x.take([0, 2]),
    "argsort": lambda x: x.argsort(),
    "argmax": lambda x: x.argmax(axis=0),
    "round": lambda x: x.round(1),
    "clip": lambda x: x.clip(2, 3),
    "dot": lambda x: x.dot(x.T),
    "imag": lambda x: x.imag,
    "flat": lambda x: x.flat[2:5],
    "indices": lambda x: x[[0, 2]],
    "mask": lambda x: x[x > 3],
    "row indices": lambda x: x[1][[0, 2]],
    "np.array": np.array,
    "np.copy": np.copy,
    "np.zeros_like": np.zeros_like,
    "np.concatenate": lambda x: np.concatenate([x, x]),
    "np.stack": lambda x: np.stack([x, x]),
    "np.where": lambda x: np.where(x > 2, x, 0),
    "np.dot": lambda x: np.dot(x, x.T),
    "np.einsum": lambda x: np.einsum("ij,kj", x, x),
    "np.roll": lambda x: np.roll(x, 1),
    "np.tile": lambda x: np.tile(x, 2),
    "np.pad": lambda x: np.pad(x, 1),
    "np.nan_to_num": np.nan_to_num,
    "np.gradient": lambda x: np.gradient(x)[0],
    "np.linalg.inv": lambda x: np.linalg.inv(x[:, :4] + np.eye(4)),
    "np.linalg.svd": lambda x: np.linalg.svd(x).U,
    "np.fft": np.fft.fft,
}


@pytest.mark.parametrize("function", RESULTS.values(), ids=RESULTS)
def test_results_that_numpy_allocates_are_plain(x, function):
    y = function(x)
    assert is_plain(y)
    assert not np.shares_memory(x, y)
    np.testing.assert_array_equal(y, function(np.array(x)))


def test_scalars_are_numpy_scalars():
    x = cuvec.ones((2, 3))
    assert type(x[0, 0]) is np.float32
    assert type(x.sum()) is np.float32
    assert type(x.mean()) is np.float32
    assert type(np.sum(x)) is np.float32
    zero_d = cuvec.full((), 2)
    assert type(zero_d + 1) is type(np.full((), 2, "f4") + 1)
    assert float(zero_d) == 2.0


def test_in_place_operations_do_not_allocate():
    x = cuvec.ones((2, 3))
    y, address = x, x.ptr
    y += 1
    y *= x
    y[0] -= 1
    y[:, 1] = 7
    assert y is x
    assert type(x) is cuvec.CuVec
    assert x.ptr == address
    np.testing.assert_array_equal(x, [[3, 7, 3], [4, 7, 4]])


@pytest.mark.parametrize("shape", [(2, 3), ()])
def test_out_is_returned(shape):
    x, y = cuvec.ones(shape), cuvec.zeros(shape)
    assert np.add(x, 1, out=y) is y
    np.testing.assert_array_equal(y, np.full(shape, 2))
    assert np.multiply(x, 3, y) is y
    plain = np.zeros(shape)
    assert np.add(x, 1, out=plain) is plain


def test_reductions_into_out():
    x, y = cuvec.ones((2, 3)), cuvec.zeros(3)
    assert x.sum(axis=0, out=y) is y
    assert np.sum(x, axis=0, out=y) is y
    np.testing.assert_array_equal(y, [2, 2, 2])


def test_in_place_methods():
    x = cuvec.asarray([3.0, 1.0, 2.0])
    x.sort()
    x.put(0, 5)
    np.testing.assert_array_equal(x, [5, 2, 3])
    x.fill(4)
    x.flat = [7, 8, 9]
    np.testing.assert_array_equal(x, [7, 8, 9])


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("duplicate", [lambda x: x.copy(), copy.copy, copy.deepcopy])
def test_copies_are_in_memory_of_the_same_kind(duplicate, memory):
    for x in (cuvec.ones((2, 3), memory=memory), cuvec.ones((), memory=memory)):
        for source in (x, x.T, x[..., :0] if x.ndim else x):
            y = duplicate(source)
            assert type(y) is cuvec.CuVec
            assert (y.memory, y.dtype) == (memory, x.dtype)
            assert not np.shares_memory(x, y)
            np.testing.assert_array_equal(y, source)


def test_a_sorted_copy_is_a_copy():
    assert type(np.sort(cuvec.ones(3))) is cuvec.CuVec


@pytest.mark.parametrize("order", ["C", "F", "A", "K", "f"])
def test_copies_have_the_requested_order(order):
    x = cuvec.asarray(np.arange(24).reshape(2, 3, 4))
    for source in (x, x.T, x.transpose(1, 0, 2), x[:, ::2, ::-1]):
        y, expected = source.copy(order), np.asarray(source).copy(order)
        assert type(y) is cuvec.CuVec
        assert y.strides == expected.strides
        np.testing.assert_array_equal(y, expected)


def test_a_copy_of_a_view_as_another_type():
    x = cuvec.asarray([1.0, 2.0], "f4").view("c8")
    y = x.copy()
    assert (type(y), y.dtype, y.memory) == (cuvec.CuVec, np.complex64, "managed")
    assert y[0] == 1 + 2j


def test_unknown_orders_are_refused():
    with pytest.raises(ValueError, match="order"):
        cuvec.ones(3).copy("X")


def test_astype_without_change_need_not_copy():
    x = cuvec.ones(3)
    assert x.astype("f4", copy=False) is x


def test_printing():
    assert repr(cuvec.ones(2)) == "CuVec([1., 1.], dtype=float32)"
    assert str(cuvec.ones(2)) == "[1. 1.]"


def test_read_only_views_stay_read_only():
    x = cuvec.ones(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    assert x.copy().flags.writeable


def test_prefetch_changes_nothing():
    x = cuvec.asarray(np.arange(24.0).reshape(4, 6))
    for view in (x, x[1:3], x[::-1, ::2], x[:0], x.T):
        assert view.prefetch("device") is None
        assert view.prefetch("host") is None
    np.testing.assert_array_equal(x, np.arange(24.0).reshape(4, 6))


@pytest.mark.parametrize(
    ("view", "offset", "size"),
    [
        (lambda x: x, 0, 96),
        (lambda x: x[1:3], 24, 48),
        (lambda x: x[::-1], 0, 96),
        (lambda x: x[3:1:-1, 1::2], 52, 44),
        (lambda x: x.T[2:3], 8, 76),
        (lambda x: x[:0], 0, 0),
        (lambda x: x[2:3, 3:4], 60, 4),
    ],
)
def test_prefetch_covers_the_memory_of_a_view(x, view, offset, size):
    assert module.cuvec.memory.extent_of(view(x), x.cuvec) == (offset, size)


def test_prefetch_goes_to_the_device_or_the_host():
    with pytest.raises(ValueError, match="device"):
        cuvec.ones(3).prefetch("moon")


def test_arrays_over_foreign_memory_have_no_buffer():
    foreign = np.ones(3).view(cuvec.CuVec)
    for name in ("cuvec", "memory", "__cuda_array_interface__"):
        with pytest.raises(AttributeError, match="asarray"):
            getattr(foreign, name)


def test_subclasses_are_preserved():
    class Image(cuvec.CuVec):
        pass

    x = Image((2, 3))
    assert type(x[1:]) is Image
    assert type(x.copy()) is Image
    assert is_plain(x + 1)
    assert is_plain(x[[0, 1]])
