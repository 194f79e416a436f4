"""Arrays of structs, and structs by value."""

import importlib
import inspect
import pickle
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from errors import exactly
from package import NAME, Particle, boost, core, cuvec, module, push, spawn

DEVICE = cuvec.device().kind
Grid = module.Grid3
SPACING, ROTATION = [0.5, 0.25, 2.0], [[1, 2], [3, 4]]
GRID = {"spacing": SPACING, "rotation": ROTATION, "periodic": False, "size": 3}


def particles(n):
    p = np.zeros(n, Particle)
    p["pos"], p["energy"], p["id"] = np.arange(3 * n).reshape(n, 3), 1.5, np.arange(n)
    return p


def record(grid=GRID, dtype=None):
    made = np.zeros((), dtype or Grid)
    for name, value in grid.items():
        made[name] = value
    return made


def test_the_layout_is_the_same_as_in_c():
    plain = np.dtype([("pos", "f4", 3), ("energy", "f4"), ("id", "i4")], align=True)
    assert Particle == plain
    assert Particle.isalignedstruct
    fields = [("spacing", "f8", 3), ("rotation", "f4", (2, 2)), ("periodic", "u1"), ("size", "i8")]
    assert Grid == np.dtype(fields, align=True)
    assert (Grid.itemsize, Grid.fields["size"][1]) == (56, 48)


@pytest.mark.parametrize("n", [0, 1, 5, 1000])
def test_elements_of_numpy_and_of_cuvec(n):
    expected = particles(n)
    expected["pos"][:, 2] += 0.5
    expected["energy"] -= 0.5
    for p in (particles(n), cuvec.asarray(particles(n))):
        push(p, 0.5)
        np.testing.assert_array_equal(p, expected)


def test_structs_of_a_matrix_that_begin_anywhere():
    p = cuvec.asarray(particles(12))[1:].reshape(1, 11)
    push(p, 1)
    np.testing.assert_array_equal(p["pos"][0, :, 2], 3 * np.arange(1, 12) + 3)
    np.testing.assert_array_equal(p["id"][0], np.arange(1, 12))


@pytest.mark.parametrize("make", [np.asarray, cuvec.asarray])
@pytest.mark.parametrize(
    "view", [np.s_[::2, :], np.s_[:, 1:4], np.s_[::-1, ::3], np.s_[:, 0], np.s_[1:2, 2:3]]
)
def test_strides(view, make):
    p = make(particles(24)).reshape(4, 6)
    q = boost(p[view], 1)
    expected = particles(24).reshape(4, 6)[view].copy()
    expected["energy"] += 1
    np.testing.assert_array_equal(q, expected)
    np.testing.assert_array_equal(boost(p.T, 0), particles(24).reshape(4, 6).T)


def test_large_arrays_of_any_strides():
    p = particles(200_000)[::2]
    np.testing.assert_array_equal(boost(p, 0), p)
    out = cuvec.zeros(200_000, Particle)[::2]
    boost(p, 0, out=out)
    np.testing.assert_array_equal(out, p)


@pytest.mark.parametrize("name", [Particle, "Particle", Particle.newbyteorder("=")])
def test_arrays_are_made_by_the_dtype_or_its_name(name):
    p = cuvec.zeros((2, 3), name)
    assert (type(p), p.shape, p.dtype) == (cuvec.CuVec, (2, 3), Particle)
    p["id"] = 7
    q = cuvec.empty_like(p)
    q[...] = p
    np.testing.assert_array_equal(q["id"], np.full((2, 3), 7))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(p)), p)
    assert cuvec.full(2, p[0, 0], Particle)["id"].tolist() == [7, 7]


def expected_spawn(energy, grid):
    p = np.zeros(len(energy), Particle)
    p["energy"], p["id"] = energy, np.arange(len(energy))
    at = p["id"] % grid["size"] if grid["periodic"] else p["id"]
    p["pos"] = at[:, None] * np.array(grid["spacing"]) + np.float32(grid["rotation"][1][0])
    return p


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("kind", [dict, record, lambda grid: record(grid)[()]])
def test_by_value(kind, periodic):
    energy, grid = np.arange(5, dtype="f4"), GRID | {"periodic": periodic}
    p = spawn(energy, kind(grid))
    assert type(p) is cuvec.CuVec
    np.testing.assert_array_equal(p, expected_spawn(energy, grid))
    out = np.zeros(5, Particle)
    assert spawn(energy, kind(grid), out=out) is out
    np.testing.assert_array_equal(out, p)


def test_a_record_of_another_layout_is_read_by_its_members():
    other = np.dtype(
        [("size", "i2"), ("periodic", "u1"), ("spacing", "f4", 3), ("rotation", "f8", (2, 2))]
    )
    energy = np.ones(2, "f4")
    np.testing.assert_array_equal(spawn(energy, record(GRID, other)), expected_spawn(energy, GRID))


def test_batches_take_one_struct():
    energy = np.arange(6, dtype="f4").reshape(2, 3)
    p = spawn(energy, GRID)
    np.testing.assert_array_equal(p[1], expected_spawn(energy[1], GRID))


TEXT = "Grid3(spacing: float64(3), rotation: float32(2,2), periodic: uint8, size: int64)"


@pytest.mark.parametrize(
    ("grid", "error", "message"),
    [
        (3, TypeError, f"grid must be a dict or a record of {TEXT}, not int"),
        ("abc", TypeError, f"grid must be a dict or a record of {TEXT}, not str"),
        (
            {},
            ValueError,
            f"grid lacks `spacing`, `rotation`, `periodic`, `size`; it must be {TEXT}",
        ),
        (GRID | {"sise": 3}, ValueError, f"grid has `sise`, and Grid3 has none; it must be {TEXT}"),
        (GRID | {3: 4}, ValueError, f"grid has `3`, and Grid3 has none; it must be {TEXT}"),
        (GRID | {"size": 2.5}, TypeError, "grid.size must be an integer, not float"),
        (GRID | {"size": 2**63}, OverflowError, f"grid.size = {2**63} does not fit into int64"),
        (GRID | {"spacing": [1, 2]}, ValueError, "grid.spacing must have 3 items, not 2"),
        (
            GRID | {"spacing": 1.0},
            ValueError,
            "grid.spacing must have 3 items, but is of type float",
        ),
        (
            GRID | {"rotation": [[1, 2], [3, "x"]]},
            TypeError,
            "grid.rotation[1][1] must be a number, not str",
        ),
    ],
)
def test_values_that_are_no_such_struct(grid, error, message):
    with pytest.raises(error, match=exactly(message)):
        spawn(np.ones(2, "f4"), grid)


def test_a_record_of_a_class_that_hands_out_other_bytes():
    class Short(np.ndarray):
        def tobytes(self, *_args):
            return bytes(8)

    with pytest.raises(ValueError, match=exactly("grid.tobytes() lacks bytes")):
        spawn(np.ones(2, "f4"), record().view(Short))


def test_arrays_of_other_structs_and_of_numbers():
    packed = np.zeros(2, [("pos", "f4", 3), ("energy", "f4"), ("number", "i8")])
    with pytest.raises(
        TypeError, match=r"p: arrays of dtype \[\('pos'.* make them of a struct of this package"
    ):
        push(packed, 1)
    with pytest.raises(TypeError, match=exactly("p has dtype float32, but must have Particle")):
        push(np.zeros(2, "f4"), 1)
    with pytest.raises(TypeError, match=exactly("p has dtype Grid3, but must have Particle")):
        push(cuvec.zeros(2, Grid), 1)
    with pytest.raises(
        TypeError, match=r"unsupported dtype .*: use a struct of this package, .*Particle"
    ):
        cuvec.zeros(2, packed.dtype)


NAMES = ["pos", "energy", "id"]
INSTEAD = "; use this package's dtype `Particle`"


@pytest.mark.parametrize(
    ("formats", "more", "difference"),
    [
        (
            ["3f4", "f8", "i4"],
            {},
            f": `energy` is float64, and float32 in Particle{INSTEAD}",
        ),
        (
            ["3f4", "f4", "i4"],
            {"offsets": [0, 12, 17]},
            f": `id` is at byte 17, and at 16 in Particle{INSTEAD}, or align=True",
        ),
        (
            ["3f4", "f4", "i4"],
            {"itemsize": 24},
            f": its size is not the 20 bytes of Particle{INSTEAD}, or align=True",
        ),
    ],
    ids=["dtype", "offset", "size"],
)
def test_how_a_dtype_differs_from_a_struct_is_said(formats, more, difference):
    other = np.dtype({"names": NAMES, "formats": formats} | more)
    with pytest.raises(TypeError, match=re.escape(difference) + "$"):
        push(np.zeros(2, other), 1)


def test_one_record_is_not_an_array():
    p = particles(3)
    message = "p: one record is not an array; pass a slice of its array, such as x[i:i+1]"
    with pytest.raises(TypeError, match=exactly(message)):
        push(p[1], 1)
    before = p.copy()
    push(p[1:2], 1)
    assert (p != before).tolist() == [False, True, False]


def test_members_are_arrays_of_their_own():
    p = cuvec.asarray(particles(4))
    np.testing.assert_array_equal(p["energy"], np.full(4, 1.5))
    assert p["energy"].strides == (20,)


def test_dlpack_has_no_structs():
    p = cuvec.zeros(2, Particle)
    message = (
        "an array of the struct Particle cannot be exported: DLPack has no structs; "
        'export its members, such as x["pos"]'
    )
    with pytest.raises(BufferError, match=exactly(message)):
        p.__dlpack__()
    exported = p["pos"].__dlpack__
    on_host = SimpleNamespace(__dlpack__=lambda **given: exported(**given | {"dl_device": (1, 0)}))
    np.testing.assert_array_equal(np.from_dlpack(on_host), p["pos"])
    assert not hasattr(p, "__cuda_array_interface__")


@pytest.mark.parametrize(
    "library", [pytest.param(it, marks=pytest.mark.library(it)) for it in ("torch", "jax", "dask")]
)
def test_frameworks_have_no_structs(library):
    adapter = importlib.import_module(f"{NAME}.cuvec.{library}")
    assert "push" not in adapter.__all__
    with pytest.raises(AttributeError, match=r"`push` .*the struct Particle"):
        adapter.push  # noqa: B018


@pytest.mark.parametrize(
    "library", [pytest.param(it, marks=pytest.mark.library(it)) for it in ("torch", "jax")]
)
def test_results_are_of_cuvec_whatever_the_library_of_arguments(library):
    if library == "torch":
        energy = importlib.import_module("torch").ones(3, device=DEVICE)
    else:
        energy = importlib.import_module("jax.numpy").ones(3)
    p = spawn(energy, GRID)
    assert type(p) is cuvec.CuVec
    np.testing.assert_array_equal(p, expected_spawn(np.ones(3, "f4"), GRID))


@pytest.mark.library("dask")
def test_arrays_of_dask_are_refused():
    array = pytest.importorskip("dask.array")
    with pytest.raises(TypeError, match=r"pass x\.compute\(\)"):
        spawn(array.ones(3, dtype="f4"), GRID)


def test_what_is_said_of_structs():
    assert "array of Particle, any shape, written in place" in inspect.getdoc(push)
    assert "grid : Grid3" in inspect.getdoc(spawn)
    functions = importlib.import_module(f"{NAME}.cuvec.functions")
    assert {"Particle", "Grid3"} <= set(functions.__all__)
    assert core.structs["Particle"] is Particle
    stub = Path(functions.__file__).with_suffix(".pyi").read_text()
    assert "Particle: np.dtype[np.void]" in stub
    assert "grid: _Record" in stub
