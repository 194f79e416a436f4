"""Arrays that are written, or None."""

import importlib
import inspect

import numpy as np
import pytest
from errors import exactly
from package import clamp, core, cuvec, module, tally_rows

X = np.array([0.5, 3.0, -1.0, 2.0])
Y, MASK = np.minimum(X, 1), X > 1
ROWS = np.arange(6, dtype="f4").reshape(2, 3)
KINDS = {"numpy": np.array, "cuvec": cuvec.asarray}


@pytest.fixture(params=KINDS)
def made(request):
    return KINDS[request.param]


def test_what_is_none_is_not_written(made):
    x = made(X)
    np.testing.assert_array_equal(clamp(x), Y)
    np.testing.assert_array_equal(clamp(x, None, total=None), Y)
    mask, total = made(np.zeros(4, bool)), made(np.ones(4))
    np.testing.assert_array_equal(clamp(x, mask), Y)
    np.testing.assert_array_equal(mask, MASK)
    np.testing.assert_array_equal(clamp(x, total=total), Y)
    np.testing.assert_array_equal(total, 1 + Y)
    mask[...] = False
    clamp(x, mask, total=total, limit=0)
    np.testing.assert_array_equal(mask, X > 0)
    np.testing.assert_array_equal(total, 1 + Y + np.minimum(X, 0))


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("start", [0, 1])
def test_elements_at_any_address(made, size, start):
    x = made(np.arange(size + 1.0))[start : start + size]
    mask, total = made(np.zeros(size + 1, bool)), made(np.zeros(size + 1))
    clamp(x, mask[start : start + size], total=total[:size], limit=3)
    wanted = np.arange(size + 1.0)[start : start + size]
    np.testing.assert_array_equal(mask[start : start + size], wanted > 3)
    np.testing.assert_array_equal(total[:size], np.minimum(wanted, 3))
    assert (total[size:] == 0).all()
    assert not mask[:start].any()


def test_a_function_that_writes_only_such_arrays(made):
    x = made(ROWS)
    tally_rows(x, None)
    sums, counts = made(np.zeros(2, "f4")), made(np.ones(2, "i8"))
    tally_rows(x, sums)
    np.testing.assert_array_equal(sums, ROWS.sum(1))
    tally_rows(x, None, counts=counts)
    np.testing.assert_array_equal(counts, [4, 4])
    tally_rows(x, sums, counts=counts)
    np.testing.assert_array_equal(counts, [7, 7])


def test_empty_arrays(made):
    empty = made(np.zeros((0, 3), "f4"))
    tally_rows(empty, None)
    tally_rows(empty, made(np.zeros(0, "f4")), counts=made(np.zeros(0, "i8")))
    assert clamp(made(X[:0]), made(np.zeros(0, bool))).shape == (0,)


def test_one_that_is_given_is_checked_as_others_are():
    total = np.ones(4)
    total.flags.writeable = False
    with pytest.raises(ValueError, match=r"^total is written to, but it is read-only"):
        clamp(X, total=total)
    message = exactly("mask has shape (3,), but n is 4 in x of shape (4,)")
    with pytest.raises(ValueError, match=message):
        clamp(X, np.zeros(3, bool))
    message = exactly("mask has dtype float64, but must have bool")
    with pytest.raises(TypeError, match=message):
        clamp(X, X.copy())
    x = X.copy()
    message = exactly("x and total overlap in memory; pass a copy of one of them")
    with pytest.raises(ValueError, match=message):
        clamp(x, total=x)
    message = "total is written and must have shape (2, 4), not (4,)"
    with pytest.raises(ValueError, match=exactly(message)):
        clamp(np.stack([X, X]), total=np.ones(4))


def test_a_loop_around_it(made):
    x, mask = made(np.stack([X, 2 * X])), made(np.zeros((2, 4), bool))
    np.testing.assert_array_equal(clamp(x, mask), np.minimum(x, 1))
    np.testing.assert_array_equal(mask, np.asarray(x) > 1)


def test_one_without_a_default_must_be_given():
    message = exactly("tally_rows() missing required argument 'sums'")
    with pytest.raises(TypeError, match=message):
        tally_rows(ROWS)


@pytest.mark.gpu
def test_on_a_stream(stream):
    x, mask = cuvec.asarray(X), cuvec.zeros(4, bool)
    y = clamp(x, stream=stream)
    clamp(x, mask, stream=stream)
    cuvec.dev_sync()
    np.testing.assert_array_equal(y, Y)
    np.testing.assert_array_equal(mask, MASK)


def test_signature_and_help():
    expected = "(x, mask=None, *, total=None, limit=1, out=None, stream=None)"
    assert str(inspect.signature(clamp)) == expected
    assert (
        "\nmask : array of bool, shape (n,), overwritten, or None, default None\n" in clamp.__doc__
    )
    declared = core.signatures["clamp"]
    assert "mask: out bool(n)? = None, *, total: inout T(n)? = None, " in declared


def test_stub():
    stub = importlib.resources.files(module) / "cuvec" / "functions.pyi"
    text = stub.read_text(encoding="utf-8")
    assert "mask: object | None = None, *, total: object | None = None, " in text
