"""Dask: the functions as generalized ufuncs, over chunks."""

import importlib
import inspect
import multiprocessing
import pydoc
from concurrent.futures import ProcessPoolExecutor

import dask.array
import numpy as np
import package
import pytest
from errors import exactly
from grids import FACTOR, kinds
from package import NAME, core, cuvec, gemv, rms_norm

gufuncs = importlib.import_module(f"{NAME}.dask")
blocks = importlib.import_module(f"{NAME}.cuvec.dask.gufunc")
declaration = importlib.import_module(f"{NAME}.cuvec.declaration")
random = np.random.default_rng(7)

SIGNATURES = {
    "activate": "()->()",
    "affine": "(n),(n),(n)->(n)",
    "approximate": "(n)->(n)",
    "astype": "()->()",
    "at_least": "(),()->()",
    "axpy": "(),()->()",
    "choose": "(),(),()->()",
    "convert_both": "(),()->(),()",
    "converted": "()->()",
    "converted_bwd": "(),()->()",
    "csr_product": "(_m_plus_1),(k),(k),(n)->(m)",
    "cube": "()->()",
    "cube_bwd": "(),()->()",
    "cube_bwd2": "(),(),()->()",
    "first": "(n)->()",
    "gather": "(n),(m)->(m)",
    "gemv": "(m,n),(n)->(m)",
    "log_sum_exp": "(n)->(),()",
    "mixture": "(n),(n)->(n)",
    "pair_sums": "(_2_times_d)->(d)",
    "pieces": "(n)->(_n_minus_1),(_2_times_n_plus_1),(_n_over_2),()",
    "polynomial": "()->()",
    "positioned": "(n),(n)->(n)",
    "reduce_rows": "(m,n)->(m)",
    "many": "(),(),(),(),()->()",
    "power": "()->()",
    "rms_norm": "(n),(n)->(n)",
    "rms_norm_bwd": "(n),(n),(n),()->(n),(n)",
    "root": "()->()",
    "rotary": "(b,s,h,_2_times_d),(s,d),(s,d)->(b,s,h,_2_times_d)",
    "rotate": "(3,3),(n,3)->(n,3)",
    "row_sums": "(m,3),()->()",
    "scale": "()->()",
    "shift": "(n),(n),(n)->(n)",
    "spmv": "(_m_plus_1),(k),(k),(n)->(m)",
    "stretch": "()->()",
    "stretched": "()->()",
    "strided_sums": "(m,n)->(m,n)",
    "swap": "(),()->(),()",
    "tally": "(n),(n)->(bins)",
    "tally_rows": "(m,n),(m),(m)->(m),(m)",
    "tiled_product": "(m,k),(k,n)->(m,n)",
    "warp_facts": "(m,n)->(m),(m),(m),(m)",
    "wave": "()->()",
    "around": "(height,width),(height,width)->(height,width)",
    "k_means": "(n,d),(k,d)->(n),(k,d)",
    "laplace": "(n),(p,h,w)->(n),(p,h,w)",
}
IN_ONE_LANGUAGE = {
    "captured": "(n)->(n)",
    "composed": "(n,n),(n)->(n),()",
    "miscomposed": "(n,n),(n)->(n)",
    "column_sums": "(m,n)->(n)",
    "double_on_103a": "()->()",
    "tile_product": "(m,16),(16,8)->(m,8)",
    "tile_transpose": "(m,_4_times_n)->(_4_times_n,m)",
    "waiting": "(n)->(n)",
    "elementary": "(n)->(n)",
    "arithmetic": "(n),(n),(n)->(n)",
    "polar": "(n)->(n),(n),(n),(n)",
    "row_facts": "(m,n)->(m),(m),(m),(m),(m),(m),(m),(m)",
    "running": "(n)->(n)",
    "running_max": "(n)->(n)",
    "running_rows": "(n)->(n),(n),(n),()",
    "standardize": "(n)->(n),(),(),(n)",
    "swap_rows": "(n),(n),(k)->(n),(n),(k),()",
    "centered": "(a,b,n),(a,b,n)->(a,b,n),(a,b,n),(a,b)",
    "evenly": "(n)->(n)",
    "shares": "(n)->(n),()",
    "softmax": "(m,n)->(m,n)",
    "joint": "(n),(n),(n)->(rows,columns),(rows,columns),(rows,columns),(rows,columns),(rows,columns)",
    "marks": "(n),(n),(k),(k),(k),(k)->(k),(k),(k),(k)",
    "exchange": "(4)->(4)",
    "lists": "(n),(n)->(keys),(n),(1),(1)",
    "lloyd": "(n),(k)->(k)",
    "pair_products": "(m,32)->(m)",
    "peaks": "(n),(n)->(bins),(bins),(bins),(bins)",
    "quantize": "()->()",
    "sign_bits": "(m,32)->(m)",
    "prefix_steps": "(n)->(n)",
    "rotated": "(n)->(n)",
    "evens": "(n)->(__n_plus_1__over_2)",
    "odds": "(n)->(_n_over_2)",
    "deviations": "(m),(n)->(n),(n),(n)",
    "shown": "(n)->(1)",
    "matrix_product": "(m,k),(k,n)->(m,n)",
    "wide_product": "(m,k),(k,n)->(m,n)",
    "linear": "(m,k),(n,k),(n),(m,n)->(m,n)",
    "extremes": "(n)->(),()",
    "prefix_sums": "(n)->(n)",
    "row_extremes": "(n)->(),(),(),(),()",
    "fill_forward": "(n)->(n)",
    "gate_rows": "(_2_times_n),(n),(m),(),(),(),(n)->(),(n)",
    "center_rows": "(n)->(n),(n)",
    "argsort": "(n)->(n)",
    "resample": "(d,h,w),(n,3)->(n)",
    "twice_at": "(m,n)->()",
}
SIGNATURES |= {name: text for name, text in IN_ONE_LANGUAGE.items() if name in core.signatures}
SIGNATURES = dict(sorted(SIGNATURES.items()))
UNAVAILABLE = {
    "nonzero": "it finds the size of index, use dask.delayed",
    "rows_above": "it finds the size of out, use dask.delayed",
    "dot": "it takes arrays of any shape, use dask.array.map_blocks",
    "full": "it reads no array, use dask.delayed",
    "iota": "it reads no array, use dask.delayed",
    "ramp": "it reads no array, use dask.delayed",
    "boost": "it has arrays of the struct Particle, use dask.delayed",
    "push": "it has arrays of the struct Particle, use dask.delayed",
    "spawn": "it has arrays of the struct Particle, use dask.delayed",
    "spread": "it writes strides once for all leading dimensions, use dask.delayed",
    "sum_rows": "it writes total once for all leading dimensions, use dask.delayed",
    "affine_bwd": "it writes dweight once for all leading dimensions, use dask.delayed",
    "clamp": "it writes an array only if it is given one, use dask.delayed",
    "cast": "an array that it writes gives a dtype, use dask.delayed",
}


def test_direct_calls_on_its_arrays_are_the_same():
    a, x = random.random((6, 4)), random.random(4)
    y = package.module.gemv(dask.array.from_array(a, chunks=(6, 4)), x)
    assert isinstance(y, dask.array.Array)
    np.testing.assert_array_equal(y.compute(), package.module.gemv(a, x))
    with pytest.raises(
        TypeError, match=r"dot\(\) takes no arrays of Dask: it takes arrays of any shape"
    ):
        package.module.dot(dask.array.ones(3), x)


def chunked(array, *chunks):
    return dask.array.from_array(array, chunks=chunks)


def test_every_function_is_available_or_listed():
    available = {name for name in core.signatures if hasattr(gufuncs, name)}
    assert available == set(SIGNATURES)


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name):
    gufunc = getattr(gufuncs, name)
    assert gufunc.signature == SIGNATURES[name]
    assert SIGNATURES[name] in inspect.getdoc(gufunc)
    assert "stream" not in inspect.signature(gufunc).parameters


def test_help_has_the_parameters_of_the_function():
    shown = pydoc.plain(pydoc.render_doc(gufuncs.gemv))
    assert "gemv(a, x, *, alpha=1, beta=-0.5)" in shown
    assert "generalized ufunc ``(m,n),(n)->(m)`` of Dask" in shown


def test_loops_in_other_chunks():
    """As Dask does it for what is element-wise: both are divided where either is."""
    a, x = random.random((6, 3, 4)), random.random((6, 4))
    y = gufuncs.gemv(chunked(a, (2, 4), 3, 4), chunked(x, (3, 3), 4), beta=0)
    assert y.chunks == ((2, 1, 3), (3,))
    np.testing.assert_allclose(y.compute(), np.einsum("bij,bj->bi", a, x))
    y = gufuncs.gemv(chunked(a, (2, 4), 3, 4), chunked(x[:1], 1, 4), beta=0)
    assert y.chunks == ((2, 4), (3,))
    np.testing.assert_allclose(y.compute(), a @ x[0])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.function(name)) for name in UNAVAILABLE]
)
def test_unavailable_functions_say_why(name):
    message = exactly(f"`{name}` is no generalized ufunc: {UNAVAILABLE[name]}")
    with pytest.raises(AttributeError, match=message):
        getattr(gufuncs, name)


def test_leading_dimensions_belong_to_the_loop(monkeypatch):
    x, weight = random.random((4, 6, 5), "f4"), random.random(5, "f4")
    expected = rms_norm(x, weight)
    calls = []
    call = declaration.Declaration.call
    monkeypatch.setattr(
        declaration.Declaration, "call", lambda *args: (calls.append(args), call(*args))
    )
    found = gufuncs.rms_norm(chunked(x, 2, 3, 5), chunked(weight, 5)).compute(
        scheduler="synchronous"
    )
    np.testing.assert_array_equal(found, expected)
    assert len(calls) == 4  # one for each chunk
    y = gufuncs.axpy(2, chunked(x[0, 0], 5), chunked(x, 2, 3, 5)).compute()
    np.testing.assert_array_equal(y, 2 * x[0, 0] + x)


def test_rows_that_differ_in_what_they_share_are_calls_of_their_own():
    x, weights = random.random((4, 5), "f4"), random.random((4, 5), "f4")
    expected = [rms_norm(row, weight) for row, weight in zip(x, weights, strict=True)]
    found = gufuncs.rms_norm(chunked(x, 2, 5), chunked(weights, 2, 5)).compute()
    np.testing.assert_array_equal(found, expected)


def test_other_names_are_errors():
    names = ", ".join(sorted(SIGNATURES))
    message = exactly(f"no generalized ufunc `nonsense`: there are {names}")
    with pytest.raises(AttributeError, match=message):
        gufuncs.nonsense  # noqa: B018


@pytest.fixture(scope="module")
def pool():
    """Processes for all tests: each imports what takes seconds."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
        yield processes


@pytest.fixture
def schedulers(pool):
    """Options of `compute`, for each of Dask's schedulers."""
    return [
        {"scheduler": "sync"},
        {"scheduler": "threads"},
        {"scheduler": "processes", "pool": pool},
    ]


def test_leading_dimensions_are_broadcast(schedulers):
    a, x = random.random((4, 1, 5, 3)), random.random((6, 3))
    y = gufuncs.gemv(chunked(a, 2, 1, 5, 3), chunked(x, 3, 3), alpha=2)
    assert (y.shape, y.dtype, y.numblocks) == ((4, 6, 5), np.float64, (2, 2, 1))
    expected = 2 * np.einsum("abij,bj->abi", np.broadcast_to(a, (4, 6, 5, 3)), x) - 0.5
    for scheduler in schedulers:
        np.testing.assert_allclose(y.compute(**scheduler), expected)


def test_functions_without_leading_dimensions():
    a, x = random.random((5, 3)), random.random(3)
    np.testing.assert_allclose(gufuncs.gemv(a, x, beta=0).compute(), a @ x)
    assert gufuncs.first(chunked(x, 3)).compute() == x[0]


def test_chunks_are_cuvec():
    a, x = cuvec.ones((4, 5, 3)), cuvec.ones(3)
    y = gufuncs.gemv(chunked(a, 2, 5, 3), chunked(x, 3))
    assert type(y.blocks[0].compute(scheduler="sync")) is cuvec.CuVec


def test_chunks_are_not_copied(monkeypatch):
    """Dask concatenates chunks of dimensions that no result has, a single one too."""
    taken = []
    call = blocks.Block._call

    def look(self, chunks, *rest):
        taken.append(chunks[0])
        return call(self, chunks, *rest)

    monkeypatch.setattr(blocks.Block, "_call", look)
    chunk = cuvec.ones((2, 5, 3))
    a = dask.array.from_delayed(dask.delayed(lambda: chunk)(), chunk.shape, chunk.dtype)
    gufuncs.gemv(a, np.ones(3, "f4")).compute(scheduler="sync")
    assert [it is chunk for it in taken] == [True]


def test_chunks_in_other_memory_orders():
    a, x = random.random((3, 5, 4)).T, random.random(6)[::2]
    block = blocks.Block(
        gemv, declaration.declarations()["gemv"], {"alpha": 2, "beta": 0}, {"T": "float64"}
    )
    y = block(a, x)
    assert type(y) is cuvec.CuVec
    np.testing.assert_allclose(y, 2 * a @ x)


def test_several_results_and_computed_sizes():
    x = np.arange(20, dtype=np.int32).reshape(4, 5)
    results = gufuncs.pieces(chunked(x, 2, 5))
    assert [it.shape for it in results] == [(4, 4), (4, 11), (4, 2), (4,)]
    less, _, half, size = (it.compute() for it in results)
    assert (less == 1).all()
    np.testing.assert_array_equal(half, x[:, [0, 2]])
    assert size.tolist() == [5] * 4


def test_inout_arguments_are_returned():
    matrix = np.roll(np.eye(3, dtype="f4"), 1, axis=0)
    points = random.random((2, 7, 3)).astype("f4")
    before = points.copy()
    turned = gufuncs.rotate(matrix, chunked(points, 1, 7, 3)).compute()
    np.testing.assert_array_equal(points, before)
    np.testing.assert_allclose(turned, points @ matrix.T, rtol=1e-6)


def test_leading_dimensions_of_size_zero():
    y = gufuncs.gemv(chunked(np.ones((0, 5, 3)), 1, 5, 3), np.ones(3))
    assert y.compute().shape == (0, 5)


ERRORS = {
    "dtype": (
        lambda: gufuncs.gemv(np.ones((2, 3), "i4"), np.ones(3, "i4")),
        TypeError,
        "a has dtype int32, but must have float32 or float64 or complex64 or complex128",
    ),
    "two dtypes": (
        lambda: gufuncs.gemv(np.ones((2, 3)), np.ones(3, "f4")),
        TypeError,
        "a and x must have the same dtype, not float64 and float32",
    ),
    "byte order": (
        lambda: gufuncs.first(np.ones(3, ">f4")),
        TypeError,
        "x has dtype >f4, but must have ",
    ),
    "size": (
        lambda: gufuncs.gemv(np.ones((2, 3)), np.ones(4)),
        ValueError,
        "x has shape (4,), but must have (3,)",
    ),
    "a size of one": (
        lambda: gufuncs.gemv(np.ones((2, 3)), np.ones(1)),
        ValueError,
        "x has shape (1,), but must have (3,)",
    ),
    "fixed size": (
        lambda: gufuncs.rotate(np.ones((3, 3), "f4"), np.ones((5, 2), "f4")),
        ValueError,
        "points has shape (5, 2), but must have (5, 3)",
    ),
    "dimensions": (
        lambda: gufuncs.gemv(np.ones(3), np.ones(3)),
        ValueError,
        "a must have 2 dimensions (m, n), not shape (3,)",
    ),
    "loops": (
        lambda: gufuncs.gemv(np.ones((6, 2, 3)), np.ones((5, 3))),
        ValueError,
        "a and x cannot be broadcast together, with shapes (6, 2, 3) and (5, 3)",
    ),
    "written": (
        lambda: gufuncs.axpy(1.0, np.ones((5, 3)), np.ones(3)),
        ValueError,
        "y is written and must have shape (5, 3), not (3,)",
    ),
    "negative size": (
        lambda: gufuncs.pieces(np.ones(0, "i4")),
        ValueError,
        "the size n-1 of less is negative",
    ),
    "chunks": (
        lambda: gufuncs.gemv(chunked(np.ones((2, 4)), 2, 2), np.ones(4)),
        ValueError,
        "a has 2 chunks along its dimension n, but a call takes all of it: use a.rechunk({1: -1})",
    ),
    "unknown sizes": (
        lambda: gufuncs.gemv(np.ones((2, 3)), dask.array.ones(3)[dask.array.ones(3) > 0]),
        ValueError,
        "x has shape (nan,), and a call takes sizes that are known: call x.compute_chunk_sizes() first",
    ),
    "number": (
        lambda: gufuncs.gemv(np.ones((2, 3)), np.ones(3), alpha="1"),
        TypeError,
        "alpha must be a number, not str",
    ),
    "option": (
        lambda: gufuncs.activate(np.ones(3), "warp"),
        ValueError,
        "mode must be 'relu' or 'silu', not 'warp'",
    ),
    "tuple": (
        lambda: gufuncs.strided_sums(np.ones((2, 3)), stride=("a", 1)),
        TypeError,
        "stride[0] must be an integer, not str",
    ),
    "argument": (
        lambda: gufuncs.gemv(np.ones((2, 3))),
        TypeError,
        "gemv() missing a required argument: 'x'",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_come_before_anything_is_computed(case):
    call, error, message = ERRORS[case]
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value).startswith(message)


def test_dimensions_are_solved():
    x = np.arange(24, dtype="float32").reshape(2, 12)
    found = gufuncs.pair_sums(chunked(x, 1, 12))
    assert found.shape == (2, 6)
    np.testing.assert_array_equal(found, x[:, :6] + x[:, 6:])
    with pytest.raises(ValueError, match="2\\*d cannot be 7"):
        gufuncs.pair_sums(chunked(x[:, :7], 1, 7))


def test_results_have_names():
    x = chunked(np.ones((2, 3), "float32"), 1, 3)
    result = gufuncs.rms_norm_bwd(x, x, np.ones(3, "float32"), chunked(np.ones(2, "float32"), 1))
    assert result.dx.shape == (2, 3)


def test_results_have_the_dtype_of_the_real_part():
    found = gufuncs.power(chunked(np.full(4, 3 + 4j), 2))
    assert found.dtype == "float64"
    np.testing.assert_array_equal(found, [25] * 4)


def test_direct_calls_say_why_a_function_takes_none():
    message = exactly(
        "nonzero() takes no arrays of Dask: it finds the size of index, use dask.delayed, or pass x.compute()"
    )
    with pytest.raises(TypeError, match=message):
        package.module.nonzero(chunked(np.ones(4), 2))


def test_direct_calls_write_nothing_of_its_arrays():
    a, x, out = chunked(np.ones((2, 3)), 2, 3), np.ones(3), np.zeros(2)
    for name, given in (("out", out), ("stream", 0)):
        message = exactly(
            f"gemv() has no `{name}` for arrays of Dask, which are computed later: "
            "pass x.compute(), or leave it out"
        )
        with pytest.raises(TypeError, match=message):
            package.module.gemv(a, x, **{name: given})
    message = exactly(
        "axpy() writes its arguments, and arrays of Dask are computed later: pass x.compute(), or "
        f"call {NAME}.dask.axpy, which returns them"
    )
    with pytest.raises(TypeError, match=message):
        package.module.axpy(2, chunked(x, 3), np.ones(3))
    with pytest.raises(TypeError, match=r"^axpy\(\) has no `stream` for arrays of Dask"):
        package.module.axpy(2, chunked(x, 3), np.ones(3), stream=0)
    assert not out.any()


def test_errors_of_kernels(schedulers):
    y = gufuncs.gather(chunked(np.ones(3), 3), chunked(np.array([0, 7]), 2))
    for scheduler in schedulers:
        with pytest.raises(RuntimeError, match=r"out of range: 7|no element 7"):
            y.compute(**scheduler)
    assert gufuncs.gather(np.ones(3), np.array([0, 2])).compute().tolist() == [1, 1]


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_indices_of_another_dtype(dtype):
    indptr, indices = np.array([0, 2, 2, 3]), np.array([0, 2, 1], dtype)
    data, x = chunked(np.array([1.0, 2.0, 3.0]), 3), np.array([[1.0, 10.0, 100.0], [1.0, 1.0, 1.0]])
    y = gufuncs.csr_product(indptr, indices, data, chunked(x, 1, 3))
    assert (y.dtype, y.numblocks) == (np.float64, (2, 1))
    np.testing.assert_array_equal(y.compute(), [[201, 0, 30], [3, 0, 3]])


def test_what_is_saved_is_not_returned():
    x, weight = random.random((4, 6, 5), "f4"), random.random(5, "f4")
    y = gufuncs.rms_norm(chunked(x, 2, 3, 5), weight)
    assert (type(y), y.shape) == (dask.array.Array, x.shape)


def test_bfloat16():
    pytest.importorskip("ml_dtypes")
    x = cuvec.asarray([[1, 2, 4], [8, 16, 32]], "bfloat16")
    y = gufuncs.scale(3, chunked(x, 1, 3))
    assert (y.dtype, y.numblocks) == (x.dtype, (2, 1))
    np.testing.assert_array_equal(y.compute().astype("f4"), 3 * x.astype("f4"))
    assert type(y.blocks[0, 0].compute(scheduler="sync")) is cuvec.CuVec
    assert isinstance(package.module.scale(3, chunked(x, 1, 3)), dask.array.Array)


@kinds
def test_structs_by_value(grid, pool):
    x = dask.array.arange(12, chunks=5, dtype="f8")
    y = gufuncs.stretch(x, grid)
    np.testing.assert_array_equal(
        y.compute(scheduler="processes", pool=pool), FACTOR * np.arange(12.0)
    )
    z = gufuncs.stretched(x, grid=grid)
    np.testing.assert_array_equal(z.compute(), 2 * np.arange(12.0))
