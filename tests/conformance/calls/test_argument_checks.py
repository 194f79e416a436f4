"""Dtypes and shapes are checked against the declaration before anything is written: every message."""

import numpy as np
import pytest
from errors import exactly
from package import axpy, cast, cuvec, dot, gemv, histogram, iota, pieces, rotate, smooth, swap

SENTINEL = 77


def array(shape, dtype="f4"):
    return cuvec.full(shape, SENTINEL, dtype)


def pieces_out(less=3, more=9, half=2, size=()):
    """Return the results of `pieces` for four elements, with other shapes where they are given."""
    return array(less, "i4"), array(more, "i4"), array(half, "i4"), array(size, "i8")


def read_only(shape, dtype="f4"):
    x = array(shape, dtype)
    x.flags.writeable = False
    return x


FOUR, LOCKED = array(4, "i4"), read_only(3)
DTYPES = {
    "not in the list": (
        lambda: dot(array(3, "i4"), array(3)),
        "x has dtype int32, but must have float32 or float64",
    ),
    "the second": (
        lambda: axpy(1, array(3), array(3, "i4")),
        "y has dtype int32, but must have float32 or float64",
    ),
    "the list comes before what disagrees": (
        lambda: dot(array(3, "f8"), array(3, "?")),
        "y has dtype bool, but must have float32 or float64",
    ),
    "fixed": (lambda: histogram(array(3, "f8")), "x has dtype float64, but must have float32"),
    "they disagree": (
        lambda: axpy(1, array(3), array(3, "f8")),
        "x and y must have the same dtype, not float32 and float64",
    ),
    "the second variable": (
        lambda: cast(array((1, 2)), array((1, 2))),
        "y has dtype float32, but must have float64 or int64 or complex64",
    ),
    "complex": (
        lambda: swap(array(3, "F"), array(3, "F")),
        "x has dtype complex64, but must have int32 or float64",
    ),
    "out of a variable": (
        lambda: gemv(array((2, 3)), array(3), out=array(2, "f8")),
        "a and out must have the same dtype, not float32 and float64",
    ),
    "out without a name": (
        lambda: dot(array(3), array(3), out=array(())),
        "out has dtype float32, but must have float64",
    ),
}
SHAPES = {
    "any shape": (
        lambda: axpy(1, array(3), array(4)),
        "x and y cannot be broadcast together, with shapes (3,) and (4,)",
    ),
    "any shape, out": (
        lambda: smooth(array((2, 3)), out=array((3, 2))),
        "x and out must have the same shape, not (2, 3) and (3, 2)",
    ),
    "rank": (
        lambda: gemv(array(3), array(3)),
        "a must have 2 dimensions (m, n), not shape (3,)",
    ),
    "rank one": (
        lambda: gemv(array((2, 3)), array((3, 1))),
        "x has shape (3, 1), but n is 3 in a of shape (2, 3)",
    ),
    "rank none": (
        lambda: dot(array(3), array(3), out=array(1, "f8")),
        "out must have 0 dimensions (), not shape (1,)",
    ),
    "a dimension": (
        lambda: gemv(array((2, 4)), array(3)),
        "x has shape (3,), but n is 4 in a of shape (2, 4)",
    ),
    "a dimension of out": (
        lambda: gemv(array((2, 4)), array(4), out=array(3)),
        "out has shape (3,), but m is 2 in a of shape (2, 4)",
    ),
    "both dimensions": (
        lambda: cast(array((2, 3)), array((2, 4), "f8")),
        "y has shape (2, 4), but n is 3 in x of shape (2, 3)",
    ),
    "given by a scalar": (
        lambda: histogram(array(9), 64, out=array(3, "i8")),
        "out has shape (3,), but bins is 64",
    ),
    "given by a default": (
        lambda: histogram(array(9), out=array(3, "i8")),
        "out has shape (3,), but bins is 4",
    ),
    "an expression": (
        lambda: pieces(array(5, "i4"), out=pieces_out(3, 11, 2)),
        "out[0] has shape (3,), but must have (n-1,) = (4,)",
    ),
    "a longer expression": (
        lambda: pieces(FOUR, out=pieces_out(more=8)),
        "out[1] has shape (8,), but must have (2*n+1,) = (9,)",
    ),
    "a quotient": (
        lambda: pieces(FOUR, out=pieces_out(half=3)),
        "out[2] has shape (3,), but must have (n/2,) = (2,)",
    ),
    "a fixed size": (
        lambda: rotate(array((3, 3)), array((5, 2))),
        "points has shape (5, 2), but must have (n, 3) = (5, 3)",
    ),
    "a negative size": (
        lambda: histogram(array(3), -1),
        "bins is a size and cannot be -1",
    ),
    "a negative size without arrays": (
        lambda: iota(-(1 << 63), start=0),
        f"n is a size and cannot be {-(1 << 63)}",
    ),
    "a negative result": (
        lambda: pieces(array(0, "i4")),
        "the size n-1 of less is negative",
    ),
}
ORDER = {
    "names before arrays": (lambda: dot([1], y=0, z=0), TypeError, "unexpected keyword"),
    "arrays before dtypes": (lambda: axpy(1, array(3, "i4"), None), TypeError, "y must be"),
    "dtypes before scalars": (
        lambda: axpy("2", array(3, "i4"), array(3, "i4")),
        TypeError,
        "x has dtype",
    ),
    "scalars before shapes": (lambda: axpy("2", array(3), array(4)), TypeError, "a must be"),
    "dtypes before layout": (lambda: dot(array(6)[::2], array(3, "i4")), TypeError, "y has dtype"),
    "layout before shapes": (
        lambda: rotate(array((3, 3)), array((2, 5)).T),
        ValueError,
        "points is not C-cont",
    ),
    "sizes before shapes": (
        lambda: histogram(array(3), -2, out=array((), "i8")),
        ValueError,
        "cannot be -2",
    ),
    "shapes before writing": (
        lambda: axpy(1, array(3), read_only(4)),
        ValueError,
        "broadcast together",
    ),
    "writing before overlap": (lambda: axpy(1, LOCKED, LOCKED), ValueError, "y is written to"),
}


@pytest.mark.parametrize("case", DTYPES)
def test_dtypes(case):
    call, message = DTYPES[case]
    with pytest.raises(TypeError, match=exactly(message)):
        call()


@pytest.mark.parametrize("case", SHAPES)
def test_shapes(case):
    call, message = SHAPES[case]
    with pytest.raises(ValueError, match=exactly(message)):
        call()


def test_fixed_sizes_alone():
    with pytest.raises(ValueError, match=r"^matrix has shape \(2, 3\), but must have \(3, 3\)"):
        rotate(array((2, 3)), array((5, 3)))


@pytest.mark.parametrize("case", ORDER)
def test_the_first_of_two_errors_is_reported(case):
    call, error, message = ORDER[case]
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("n", "error"),
    [
        (1 << 62, ValueError),
        (1 << 60, ValueError),
        ((1 << 60) - 1, MemoryError),
        (1 << 48, MemoryError),
    ],
)
def test_results_may_be_too_large(n, error):
    used = cuvec.memory_stats().used
    with pytest.raises(error):
        iota(n, start=0)
    assert cuvec.memory_stats().used == used


def test_a_call_that_fails_writes_nothing():
    x, outs = cuvec.full(5, 1, "i4"), pieces_out(4, 11, 3)  # the third must have two elements
    with pytest.raises(ValueError, match=r"^out\[2\] has shape"):
        pieces(x, out=outs)
    assert all((it == SENTINEL).all() for it in outs)
    plain = np.full((2, 3), SENTINEL, "f8")
    with pytest.raises(ValueError, match="but n is 2"):
        cast(array((2, 2)), plain)
    assert (plain == SENTINEL).all()


def test_dimensions_of_size_zero_are_compared_too():
    assert gemv(array((0, 4)), array(4)).shape == (0,)
    with pytest.raises(ValueError, match="but n is 0 in a"):
        gemv(array((4, 0)), array(1))


OVERLAPS = {
    "inout twice": (lambda x: swap(x, x), "x and y"),
    "inout, in part": (lambda x: swap(x[:4], x[3:7]), "x and y"),
    "an argument as out": (lambda x: smooth(x, out=x), "x and out"),
    "a part of one as out": (lambda x: gemv(x.reshape(4, 2), x[:2], out=x[4:]), "a and out"),
    "seen by NumPy": (lambda x: swap(x, np.asarray(x)), "x and y"),
}


@pytest.mark.parametrize("case", OVERLAPS)
def test_written_arrays_overlap_with_no_other(case):
    call, names = OVERLAPS[case]
    x = cuvec.asarray(np.arange(8.0))
    message = exactly(f"{names} overlap in memory; pass a copy of one of them")
    with pytest.raises(ValueError, match=message):
        call(x)
    np.testing.assert_array_equal(x, np.arange(8.0))


def test_results_overlap_with_no_other_result():
    less, more, half, size = pieces_out()
    with pytest.raises(
        ValueError, match=exactly("out[0] and out[1] overlap in memory; pass a copy of one of them")
    ):
        pieces(FOUR, out=(more[:3], more, half, size))
    assert (more == SENTINEL).all()
    assert (less == SENTINEL).all()


def test_read_only_arguments_may_be_the_same_array():
    x = cuvec.ones((3, 3), "f8")
    assert dot(x, x) == 9
    np.testing.assert_array_equal(gemv(x, x[0], beta=0), [3, 3, 3])


@pytest.mark.parametrize("make", [read_only, lambda *it: np.asarray(read_only(*it))])
def test_read_only_arrays_are_not_written(make):
    for name, call in (
        ("y", lambda: swap(array(3, "i4"), make(3, "i4"))),
        ("y", lambda: cast(array((1, 3)), make((1, 3), "f8"))),
        ("out", lambda: gemv(array((3, 2)), array(2), out=make(3))),
    ):
        message = exactly(f"{name} is written to, but it is read-only")
        with pytest.raises(ValueError, match=message):
            call()


def test_read_only_arrays_are_not_to_be_copied_back_into():
    unaligned = read_only(25, "u1")[1:].view("f4")
    for name, call in (
        ("y", lambda: swap(array(3, "i4"), np.broadcast_to(np.int32(1), 3))),
        ("y", lambda: cast(array((3, 2)), np.broadcast_to(1.0, (3, 2)))),
        ("out", lambda: gemv(array((3, 2)), array(2), out=np.broadcast_to(np.float32(1), 3))),
        ("out", lambda: smooth(array(6), out=unaligned)),
    ):
        message = exactly(f"{name} is written to, but it is read-only")
        with pytest.raises(ValueError, match=message):
            call()


def test_written_arrays_are_contiguous_and_aligned():
    with pytest.raises(
        ValueError, match=r"^out is not C-contiguous; pass an array that is and copy"
    ):
        smooth(array(3), out=array(6)[::2])
    unaligned = cuvec.zeros(25, "u1")[1:].view("f4")
    with pytest.raises(
        ValueError, match=r"^out is not aligned; pass an array that is and copy it into out$"
    ):
        smooth(array(6), out=unaligned)
