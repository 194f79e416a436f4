"""Arrays that are declared `strided` or `rows`: they are passed as they are."""

import numpy as np
import pytest
from exporters import Dlpack
from package import cuvec, rotary, spread

pytestmark = pytest.mark.function("rotary", "spread")

SHAPE = (2, 3, 4, 6)  # sequences, places, heads, elements of a head
TABLES = np.random.default_rng(1).standard_normal((2, 3, 3)).astype("f4")


def rotated(x, tables=TABLES):
    first, second = np.split(x.astype("f8"), 2, -1)
    cosine, sine = tables[:, :, None]
    return np.concatenate([first * cosine - second * sine, first * sine + second * cosine], -1)


def qkv(make):
    """Return queries, keys and values in one array."""
    made = make((2, 3, 12, 6), "f4")
    made[...] = np.random.default_rng(2).standard_normal(made.shape)
    return made


MAKERS = {"numpy": np.zeros, "cuvec": cuvec.zeros}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_part_of_an_array_is_written_in_place(make):
    whole = qkv(make)
    before = np.array(whole)
    rotary(whole[:, :, 4:8], *TABLES)
    np.testing.assert_allclose(whole[:, :, 4:8], rotated(before[:, :, 4:8]), rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(whole[:, :, :4], before[:, :, :4])
    np.testing.assert_array_equal(whole[:, :, 8:], before[:, :, 8:])


VIEWS = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.transpose(0, 2, 1, 3),
    "backwards": lambda x: x[::-1, :, ::-1, ::-1],
    "every second": lambda x: x[..., ::2],
    "one head": lambda x: x[:, :, 1:2],
    "nothing": lambda x: x[:, :, :0],
}


@pytest.mark.parametrize("name", VIEWS)
def test_any_strides(name):
    x = VIEWS[name](qkv(cuvec.zeros))
    x = x[..., : x.shape[3] // 2 * 2]
    tables = np.random.default_rng(3).standard_normal((2, x.shape[1], 5)).astype("f4")
    tables = tables[..., : x.shape[3] // 2]
    expected = rotated(np.array(x), tables)
    assert rotary(x, *tables) is None
    np.testing.assert_allclose(x, expected, rtol=1e-4, atol=1e-6)


def test_dimensions_in_front_are_a_loop():
    whole = cuvec.zeros((5, *SHAPE), "f4")
    whole[...] = np.random.default_rng(4).standard_normal(whole.shape)
    x = whole[::2, :, :, 1:3]
    before = np.array(x)
    rotary(x, *TABLES)
    np.testing.assert_allclose(x, [rotated(it) for it in before], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("tables", [TABLES[..., ::-1], TABLES.transpose(0, 2, 1)])
def test_what_is_only_read_is_copied_where_it_is_not_as_declared(tables):
    x = qkv(cuvec.zeros)[:, :, :4]
    expected = rotated(np.array(x), tables)
    rotary(x, *tables)
    np.testing.assert_allclose(x, expected, rtol=1e-4, atol=1e-6)


def strides_of(x, scale, y):
    strides = cuvec.zeros(5, "i8")
    spread(x, scale, y, strides)
    np.testing.assert_array_equal(y, np.asarray(x) * np.asarray(scale))
    return strides.tolist()


def test_bodies_get_strides_in_elements():
    x, y = cuvec.ones((2, 3, 8)), cuvec.zeros((2, 3, 4))
    scale = cuvec.asarray(np.arange(8, dtype="f4"))
    assert strides_of(x[..., 2:6], scale[::2], y) == [8, 1, 2, 4, 1]
    assert strides_of(x[:1, :, :4], scale[::-1][:4], cuvec.zeros((1, 3, 10))[..., 3:7]) == [
        8,
        1,
        -1,
        10,
        1,
    ]
    assert strides_of(y, scale[:4], cuvec.zeros((2, 3, 4))) == [4, 1, 1, 4, 1]
    # The leading dimensions are not one behind the other, or the last one is not dense: they are copied.
    assert strides_of(x[:, ::2, :4], scale[:4], cuvec.zeros((2, 2, 4))) == [4, 1, 1, 4, 1]
    assert strides_of(x[..., ::2], scale[:4], y) == [4, 1, 1, 4, 1]


def test_what_is_written_and_not_as_declared_is_refused():
    x, scale, strides = cuvec.ones((2, 3, 4)), cuvec.ones(4), cuvec.zeros(5, "i8")
    for y, message in [
        (
            cuvec.zeros((2, 3, 8))[..., ::2],
            "last dimension; pass a C-contiguous copy and copy it back into y, or declare the argument `strided`$",
        ),
        (
            cuvec.zeros((3, 2, 4)).transpose(1, 0, 2),
            "y has leading dimensions that are not one behind .* pass a C-contiguous copy and copy it back into y$",
        ),
    ]:
        with pytest.raises(ValueError, match=message):
            spread(x, scale, y, strides)
        assert not np.any(y)
    memory = np.zeros(100, "f4")
    overlapping = np.lib.stride_tricks.as_strided(memory, SHAPE, (96, 32, 8, 4))
    with pytest.raises(ValueError, match="x is written, and its elements may overlap in memory"):
        rotary(overlapping, *TABLES)
    with pytest.raises(
        ValueError, match=r"copy it back into strides, or declare the argument `strided`$"
    ):
        spread(x, scale, cuvec.zeros(x.shape), cuvec.zeros(10, "i8")[::2])


def test_malformed_strides():
    x = np.zeros(SHAPE, "f4").transpose(0, 2, 1, 3)
    unaligned = np.zeros(4 * 145, "u1")[1:-3].view("f4").reshape(2, 4, 3, 6)
    with pytest.raises(ValueError, match=r"x is not aligned; .* copy it back into x$"):
        rotary(unaligned.transpose(0, 2, 1, 3), *TABLES)
    tables = np.zeros((2, 4, 3), "f4")
    rotary(Dlpack(x), *tables)
    x.flags.writeable = False
    for locked in (x, np.broadcast_to(np.float32(1), SHAPE)):
        with pytest.raises(ValueError, match="x is written to, but it is read-only"):
            rotary(locked, *tables)


def test_parts_of_one_array_may_be_in_one_call():
    whole = qkv(cuvec.zeros)
    strides = cuvec.zeros(5, "i8")
    x, y = whole[..., :4, :].reshape(6, 24), whole[..., 4:8, :].reshape(6, 24)
    expected = np.array(x)
    spread(x, np.ones(24, "f4"), y, strides)
    np.testing.assert_array_equal(whole[..., 4:8, :].reshape(6, 24), expected)


def test_help_says_so():
    assert (
        "x : array of T, shape (b, s, h, 2*d), may have strides, written in place\n"
        in rotary.__doc__
    )
    assert (
        "cosine : array of float32, shape (s, d), may have strides but in the last"
        in rotary.__doc__
    )
