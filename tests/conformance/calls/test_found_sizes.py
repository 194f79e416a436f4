"""Results of a size that the function finds: `-> index: int64(at most n)`."""

import pickle

import numpy as np
import pytest
from errors import exactly
from graphs import captured
from native import gate_that_opens
from package import core, cuvec, module

nonzero = getattr(module, "nonzero", None)
rows_above = getattr(module, "rows_above", None)
signs = getattr(module, "signs", None)
random = np.random.default_rng(11)


@pytest.mark.function("nonzero")
@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("n", [0, 1, 7, 300_000])
def test_as_many_as_there_are(dtype, n):
    x = random.integers(0, 3, n).astype(dtype)
    index = nonzero(x)
    assert isinstance(index, cuvec.CuVec)
    assert index.dtype == "int64"
    np.testing.assert_array_equal(np.sort(index), np.flatnonzero(x))


@pytest.mark.function("nonzero")
@pytest.mark.parametrize("value", [0, 1])
def test_none_and_all(value):
    index = nonzero(np.full(1000, value, "float32"))
    np.testing.assert_array_equal(np.sort(index), np.arange(1000 * value))


@pytest.mark.function("nonzero")
def test_it_is_an_array_like_others():
    x = cuvec.asarray(np.array([0, 2, 0, 3], "float32"))
    index = nonzero(x)
    ones = cuvec.ones(2, "float32")
    module.axpy(1, ones, ones)  # the GPU takes it, and what is made of it
    assert nonzero(cuvec.asarray(index.astype("int32"))).shape == (2,)
    np.testing.assert_array_equal(np.sort(pickle.loads(pickle.dumps(index))), [1, 3])


@pytest.mark.function("nonzero")
def test_out_has_memory_for_all():
    x = np.array([5, 0, 6], "int32")
    out = cuvec.full(3, -1, "int64")
    index = nonzero(x, out=out)
    assert index.shape == (2,)
    assert np.shares_memory(index, out)
    np.testing.assert_array_equal(np.sort(out[:2]), [0, 2])
    message = "out has shape (2,), but n is 3 in x of shape (3,)"
    with pytest.raises(ValueError, match=exactly(message)):
        nonzero(x, out=cuvec.zeros(2, "int64"))


@pytest.mark.function("nonzero")
def test_a_call_on_a_stream_waits():
    x = cuvec.asarray(np.array([0, 1, 1], "float32"))
    np.testing.assert_array_equal(np.sort(nonzero(x, stream=0)), [1, 2])


@pytest.mark.function("nonzero")
def test_nothing_is_broadcast():
    message = "x must have 1 dimension (n,), not shape (2, 3)"
    with pytest.raises(ValueError, match=exactly(message)):
        nonzero(np.ones((2, 3), "float32"))


@pytest.mark.function("rows_above")
def test_rows():
    points = random.standard_normal((500, 3)).astype("float32")
    kept = rows_above(points, 0.5)
    expected = points[points[:, 0] > 0.5]
    assert kept.shape == expected.shape
    order = np.argsort(kept[:, 0])
    np.testing.assert_array_equal(kept[order], expected[np.argsort(expected[:, 0])])


@pytest.mark.function("rows_above")
def test_more_than_there_is_memory_for():
    points = np.ones((4, 3), "float32")
    assert rows_above(points, 2, extra=4).shape == (4, 3)
    with pytest.raises(
        RuntimeError, match=exactly("out has at most 4, but rows_above() counted 9")
    ):
        rows_above(points, 0, extra=5)
    assert rows_above(points, 0).shape == (4, 3)


@pytest.mark.function("signs")
def test_several_and_a_scalar():
    x = random.integers(-1, 2, 1000).astype("float32")
    below, above, size = signs(x)
    np.testing.assert_array_equal(np.sort(below), np.flatnonzero(x < 0))
    np.testing.assert_array_equal(np.sort(above), np.flatnonzero(x > 0))
    assert size == 1000
    out = (np.zeros(1000, "int64"), None, cuvec.zeros((), "int64"))
    below, above, size = signs(x, out=out)
    assert np.shares_memory(below, out[0])
    assert (len(below) + len(above), size) == (np.count_nonzero(x), 1000)
    assert size is out[2]


@pytest.mark.function("nonzero")
def test_help_says_it():
    assert "index : array of int64, shape (at most n,)" in nonzero.__doc__
    assert "Nothing is broadcast." in nonzero.__doc__
    assert "index: int64(at most n)" in core.signatures["nonzero"]


@pytest.mark.gpu
@pytest.mark.function("nonzero")
def test_a_call_on_a_stream_waits_for_the_gpu(stream):
    x = cuvec.asarray(random.integers(0, 2, 100_000).astype("float32"))
    with gate_that_opens(stream):
        index = nonzero(x, stream=stream)
        np.testing.assert_array_equal(np.sort(index), np.flatnonzero(x))


@pytest.mark.gpu
@pytest.mark.function("nonzero")
def test_a_graph_has_no_such_call(stream):
    x = cuvec.ones(100)
    nonzero(x)
    message = (
        "a CUDA graph is being captured, and no call can wait for it: call what finds the size of "
        "its result before or after"
    )

    def refused():
        with pytest.raises(RuntimeError, match=exactly(message)) as error:
            nonzero(x, stream=stream)
        raise error.value

    with captured(stream, refused) as replay:
        assert replay is None
