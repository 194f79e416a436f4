"""Element-wise functions find elements where they are: arrays may have any strides or be broadcast, and be
written so, without a copy."""

import numpy as np
import pytest
from package import Particle, axpy, boost, cast, choose, clamp, cuvec, module, scale, swap

SHAPE = (12, 40)
# Shapes of larger arrays, and functions that make writable views of `SHAPE` of them.
VIEWS = {
    "contiguous": ((12, 40), lambda x: x),
    "every second column": ((12, 80), lambda x: x[:, ::2]),
    "half of the columns": ((12, 80), lambda x: x[:, 40:]),
    "odd columns": ((12, 47), lambda x: x[:, 3:43]),
    "every third row": ((36, 40), lambda x: x[::3]),
    "transposed": ((40, 12), lambda x: x.T),
    "transposed part": ((44, 30), lambda x: x[3:43, 1::2][:, :12].T),
    "reversed": ((12, 40), lambda x: x[::-1, ::-1]),
    "columns reversed": ((12, 40), lambda x: x[:, ::-1]),
    "rows reversed": ((12, 40), lambda x: x[::-1]),
    "behind one element": ((481,), lambda x: x[1:].reshape(12, 40)),
}
BROADCAST = {
    "row": ((40,), lambda x: x),
    "column": ((12, 1), lambda x: x),
    "element": ((), lambda x: x),
    "every second of a row": ((1, 80), lambda x: x[:, ::2]),
    "column of a matrix": ((12, 5), lambda x: x[:, 2:3]),
    "repeated": ((40,), lambda x: np.broadcast_to(x, SHAPE, subok=True)),
    "windows": ((51,), lambda x: np.ndarray(SHAPE, x.dtype, x, strides=2 * x.strides)),
}
MAKERS = {"numpy": np.zeros, "cuvec": cuvec.zeros}


@pytest.fixture(params=MAKERS.values(), ids=MAKERS)
def make(request):
    """Return a function that makes an array of random small integers."""
    random = np.random.default_rng(len(request.node.name))

    def filled(shape, dtype):
        made = request.param(shape, dtype)
        made[...] = random.integers(0, 2 if made.dtype == bool else 50, shape).astype(dtype)
        return made

    return filled


def check(call, expected, *written):
    """Make the call: what it writes is as expected, and nothing else of its arrays has changed."""
    before = [np.array(whole) for whole, _ in written]
    call()
    for (whole, view), was, values in zip(written, before, expected, strict=True):
        view(was)[...] = values
        np.testing.assert_array_equal(whole, was)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("of_x", [*VIEWS, *BROADCAST])
@pytest.mark.parametrize("of_y", VIEWS)
def test_any_two_kinds(of_x, of_y, dtype, make):
    shape_x, view_x = {**VIEWS, **BROADCAST}[of_x]
    shape_y, view_y = VIEWS[of_y]
    x, y = view_x(make(shape_x, dtype)), make(shape_y, dtype)
    expected = np.array(view_y(y)) + 3 * np.array(x)
    check(lambda: axpy(3, x, view_y(y)), [expected], (y, view_y))


@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "e", "F"])
@pytest.mark.parametrize("kind", [*VIEWS, *BROADCAST])
def test_results_of_every_width(kind, dtype, make):
    shape, view = {**VIEWS, **BROADCAST}[kind]
    mask, x, y = make(SHAPE, "?")[::-1], view(make(shape, dtype)), make((40, 12), dtype).T
    np.testing.assert_array_equal(choose(mask, x, y), np.where(mask, x, y))


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"]
)
@pytest.mark.parametrize("kind", [*VIEWS, *BROADCAST])
def test_small_floats(kind, dtype, make):
    cuvec.zeros(0, dtype)  # gives NumPy the name
    shape, view = {**VIEWS, **BROADCAST}[kind]
    x = view(make(shape, dtype))
    # bytes: NumPy does not tell NaNs of float8_e8m0fnu, which has no zero
    expected = scale(2, np.ascontiguousarray(x)).view("u1")
    np.testing.assert_array_equal(np.ascontiguousarray(scale(2, x)).view("u1"), expected)


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("dtypes", [("f4", "f8"), ("i4", "i8"), ("f4", "F"), ("i4", "f8")])
def test_dtypes_of_two_widths(kind, dtypes, make):
    """`cast` is declared for matrices: a loop goes over the dimensions in front of them."""
    shape, view = VIEWS[kind]
    x, y = view(make(shape, dtypes[0])), make(shape, dtypes[1])
    check(lambda: cast(x, view(y)), [np.array(x)], (y, view))
    x, y = make((3, *SHAPE), dtypes[0]), cuvec.zeros((12, 40, 3), dtypes[1])
    cast(x, y.transpose(2, 0, 1))
    np.testing.assert_array_equal(y.transpose(2, 0, 1), x)
    cast(x[1], y.transpose(2, 0, 1))
    np.testing.assert_array_equal(y.transpose(2, 0, 1), np.stack([x[1]] * 3))


@pytest.mark.function("evenly")
@pytest.mark.parametrize("kind", VIEWS)
def test_bodies_know_the_sizes_of_declared_dimensions(kind, make):
    """Rows of 40 are divided by 40, in as many rows as there are."""
    shape, view = VIEWS[kind]
    x = view(make(shape, "f8"))
    np.testing.assert_array_equal(module.evenly(x), np.array(x) / 40)


@pytest.mark.parametrize("of_x", VIEWS)
@pytest.mark.parametrize("of_y", ["contiguous", "transposed", "every second column", "reversed"])
def test_two_arrays_are_written(of_x, of_y, make):
    (shape_x, view_x), (shape_y, view_y) = VIEWS[of_x], VIEWS[of_y]
    x, y = make(shape_x, "f8"), make(shape_y, "f8")
    expected = np.array(view_y(y)), np.array(view_x(x))
    check(lambda: swap(view_x(x), view_y(y)), expected, (x, view_x), (y, view_y))


@pytest.mark.parametrize("kind", VIEWS)
def test_results_go_into_any_array(kind, make):
    shape, view = VIEWS[kind]
    mask, x, y = make(SHAPE, "?"), make(SHAPE, "i2"), make((), "i2")
    out = make(shape, "i2")
    check(lambda: choose(mask, x, y, out=view(out)), [np.where(mask, x, y)], (out, view))


@pytest.mark.parametrize("rank", [3, 5, 8, 9, 11, 16])
@pytest.mark.parametrize("order", ["reversed", "mixed"])
def test_many_dimensions(rank, order, make):
    """Those that cannot be merged are at most 8 of a walk: others are a loop around it."""
    shape = (4, 3, 5)[:rank] + (2,) * (rank - 3)
    axes = np.random.default_rng(rank).permutation(rank) if order == "mixed" else range(rank)[::-1]
    x = make(tuple(np.array(shape)[np.argsort(axes)]), "f4").transpose(axes)
    y = make(shape, "f4")
    check(lambda: axpy(2, x, y), [y + 2 * x], (y, lambda it: it))
    check(lambda: axpy(2, y, x), [x + 2 * y], (x, lambda it: it))


@pytest.mark.parametrize(
    "shape", [(1 << 20,), (3, 400_000), (400_000, 3), (700, 1100), (65_537, 2, 3)]
)
def test_large_arrays(shape, make):
    """On several threads, or in many blocks."""
    x = make(shape, "f4")
    y = make(shape, "f4")
    for view in (
        lambda it: it.T,
        lambda it: it[::2],
        lambda it: it[..., ::-1],
        lambda it: it[..., 1:],
    ):
        check(lambda: axpy(2, view(x), view(y)), [view(y) + 2 * view(x)], (y, view))  # noqa: B023
    transposed = make(shape[::-1], "f4").T
    check(lambda: axpy(2, transposed, y), [y + 2 * transposed], (y, lambda it: it))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 3)])
def test_arrays_without_elements(shape, make):
    x, y = make(shape, "f4"), make(shape, "f4")
    axpy(2, x.T, y.T)
    axpy(2, make((), "f4"), y[::-1])
    assert choose(make((), "?"), x.astype("i2").T, make((1,), "i2")).shape == shape[::-1]


def test_elements_of_one_array(make):
    """An input may share memory with an output: it is copied then, and nothing else is."""
    y = make((7, 9), "f4")
    for view in (lambda it: it[3], lambda it: it[:, 4:5], lambda it: it[::-1], lambda it: it[2, 2]):
        check(lambda: axpy(2, view(y), y), [y + 2 * view(y)], (y, lambda it: it))  # noqa: B023
    y = make((8, 8), "f8")
    check(lambda: axpy(2, y.T, y), [y + 2 * y.T], (y, lambda it: it))
    check(
        lambda: axpy(1, y[:, ::2], y[:, 1::2]),
        [y[:, 1::2] + y[:, ::2]],
        (y, lambda it: it[:, 1::2]),
    )
    x = y[:, 1::2].copy()
    expected = np.array(y[:, ::2])
    swap(y[:, ::2], y[:, 1::2])
    np.testing.assert_array_equal(y[:, 1::2], expected)
    np.testing.assert_array_equal(y[:, ::2], x)


def test_what_overlaps_itself_is_not_written():
    memory = np.zeros(60, "f4")
    for strides in [(0, 4), (4, 4), (8, 4), (4, 0), (0, 0)]:
        y = np.lib.stride_tricks.as_strided(memory, (5, 6), strides)
        with pytest.raises(
            ValueError, match=r"^y is written, and its elements may overlap in memory; pass a C-con"
        ):
            axpy(1, np.ones((5, 6), "f4"), y)
    two = np.zeros(60)
    with pytest.raises(ValueError, match="x and y overlap"):
        swap(two[::2], two[:30])
    with pytest.raises(ValueError, match="y is written to, but it is read-only"):
        axpy(1, np.ones((5, 6), "f4"), np.broadcast_to(np.float32(0), (5, 6)))
    assert not np.any(memory)


def test_elements_at_odd_addresses():
    """In memory of the host: fields of packed records."""
    record = np.zeros((6, 5), [("flag", "u1"), ("value", "f8")])
    record["value"] = np.arange(30).reshape(6, 5)
    before, x = record.copy(), np.ones(5)
    axpy(2, x, record["value"])
    np.testing.assert_array_equal(record["value"], before["value"] + 2)
    np.testing.assert_array_equal(record["flag"], 0)
    axpy(1, record["value"].T, y := cuvec.zeros((5, 6), "f8"))
    np.testing.assert_array_equal(y, record["value"].T)
    memory = np.zeros(25, "u1")
    swap(memory[1:].view("i4"), np.arange(6, dtype="i4"))
    np.testing.assert_array_equal(memory[1:].view("i4"), range(6))


@pytest.mark.parametrize("has_total", [False, True])
@pytest.mark.parametrize("has_mask", [False, True])
def test_optional_arrays(has_mask, has_total, make):
    x, mask, total = make((3, 40), "f4")[:, ::-2], make((20, 3), "?"), make((3, 40), "f4")
    expected = np.minimum(x, 20), x > 20, total[:, 1::2] + np.minimum(x, 20)
    given = mask.T if has_mask else None, total[:, 1::2] if has_total else None
    y = clamp(x, given[0], total=given[1], limit=20)
    np.testing.assert_array_equal(y, expected[0])
    for array, values in zip(given, expected[1:], strict=True):
        if array is not None:
            np.testing.assert_array_equal(array, values)


@pytest.mark.parametrize("zeros", MAKERS.values(), ids=MAKERS)
def test_structs(zeros):
    particles, out = zeros((6, 8), Particle), zeros((8, 12), Particle)
    particles["energy"] = np.arange(48).reshape(6, 8)
    boost(particles.T, 1, out=out[:, ::2])
    np.testing.assert_array_equal(out["energy"][:, ::2], particles["energy"].T + 1)
    np.testing.assert_array_equal(out["energy"][:, 1::2], 0)


@pytest.mark.gpu
def test_no_memory_but_the_results():
    x, y = cuvec.ones((1 << 10, 1 << 11)), cuvec.ones((1 << 10, 1 << 10))
    axpy(1, x[:, ::2], y)
    before = cuvec.memory_stats()
    for view in (x[:, ::2], x[:, 1024:], x[0, :1024], x[:, 3:4], x[:1, :1], x[:, 1023::-1].T):
        axpy(1, view, y)
        axpy(1, view, y[::-1].T)
    assert cuvec.memory_stats() == before
