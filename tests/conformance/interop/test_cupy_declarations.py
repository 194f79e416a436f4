"""CuPy: what declarations say holds for its arrays as for NumPy's."""

import cupy
import numpy as np
import pytest
from errors import exactly
from package import (
    Particle,
    activate,
    affine,
    astype,
    clamp,
    converted,
    csr_product,
    cuvec,
    full,
    gather,
    gemv,
    module,
    power,
    rms_norm,
    rms_norm_bwd,
    rotary,
    scale,
    spawn,
    spmv,
    spread,
)

pytestmark = pytest.mark.gpu
X = np.arange(6.0).reshape(2, 3)


@pytest.fixture(autouse=True)
def first_gpu():
    """Use the first of several GPUs; other libraries may leave another one current."""
    with cupy.cuda.Device(0):
        yield


def same(found, expected):
    assert type(found) is cupy.ndarray
    np.testing.assert_allclose(cupy.asnumpy(found), expected, rtol=1e-5)


def test_leading_dimensions():
    x, weight = np.random.default_rng(1).random((2, 3, 5), "f4"), np.ones(5, "f4")
    expected = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)
    same(rms_norm(cupy.asarray(x), cupy.asarray(weight)), expected)


def test_a_part_of_an_array_is_written_in_place():
    whole, tables = (
        cupy.ones((1, 2, 6, 4), "f4"),
        (cupy.zeros((2, 2), "f4"), cupy.ones((2, 2), "f4")),
    )
    rotary(whole[:, :, 2:4], *tables)
    expected = np.ones((1, 2, 6, 4))
    expected[:, :, 2:4, :2] = -1
    same(whole, expected)


def test_optional_arrays():
    x, weight, bias = cupy.asarray(X), cupy.ones(3), cupy.arange(3.0)
    same(affine(x, weight), X)
    same(affine(x, weight, bias), X + np.arange(3))


@pytest.mark.function("strided_sums")
def test_options_and_tuples():
    same(activate(cupy.asarray(X - 2), "relu", limit=2), np.clip(X - 2, 0, 2))
    same(module.strided_sums(cupy.ones((2, 3)), weights=[1, 2, 4]), [[7, 3, 1], [7, 3, 1]])


@pytest.mark.function("nonzero")
def test_sizes_are_found():
    index = module.nonzero(cupy.asarray([0, 5, 0, 7], "i4"))
    same(cupy.sort(index), [1, 3])


def test_results_have_names():
    x, weight, rstd = cupy.ones((2, 3), "f4"), cupy.ones(3, "f4"), cupy.ones(2, "f4")
    gradients = rms_norm_bwd(x, x, weight, rstd)
    same(gradients.dx, np.zeros((2, 3)))
    same(gradients.dweight, np.ones((2, 3)))


def test_dtypes_that_are_asked_for():
    x, wanted = cupy.asarray(X - 2, "f4"), (X - 2).astype("f4")
    assert astype(x).dtype == np.float16
    for asked in (cupy.int64, cupy.dtype("int64"), "int64"):
        y = astype(x, dtype=asked)
        assert y.dtype == np.int64
        same(y, wanted)
    out = cupy.empty(x.shape, "i8")
    assert astype(x, dtype="int64", out=out) is out
    same(out, wanted)
    with pytest.raises(TypeError, match=r"^out has dtype int64, but must have float16"):
        astype(x, out=out)
    for dtype in ("float32", "float64"):
        y = converted(x, dtype=dtype)
        assert y.dtype == dtype
        same(y, wanted)
    with pytest.raises(TypeError, match="dtype must be float32 or float64, not int8"):
        converted(x, dtype=cupy.int8)


def test_a_function_that_reads_no_array_writes_to_cupys():
    out = cupy.zeros(3, "c8")
    assert full("complex64", value=1 - 2j, out=out) is out
    same(out, [1 - 2j] * 3)


def test_results_have_the_dtype_of_the_real_part():
    for dtype, real in (("c8", "f4"), ("c16", "f8")):
        y = power(cupy.asarray([[3 + 4j], [1j]], dtype))
        assert y.dtype == real
        same(y, [[25], [1]])


@pytest.mark.parametrize("product", [spmv, csr_product])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sparse_matrices_are_three_arrays(dtype, product):
    from cupyx.scipy import sparse

    parts = cupy.arange(1, 7, dtype=dtype), cupy.asarray([0, 2, 1, 0, 1, 2]), [0, 2, 2, 3, 6]
    matrix = sparse.csr_matrix((*parts[:2], cupy.asarray(parts[2])), shape=(4, 3))
    y = product(matrix.indptr, matrix.indices, matrix.data, cupy.asarray([1, 10, 100], dtype))
    assert y.dtype == dtype
    same(y, [201, 0, 30, 654])


def test_dimensions_are_solved():
    indptr, indices = cupy.asarray([0, 2, 2, 3]), cupy.asarray([0, 2, 1])
    same(
        spmv(indptr, indices, cupy.arange(1.0, 4), cupy.asarray([1.0, 10, 100])),
        [201, 0, 30],
    )


def test_errors_of_kernels():
    with pytest.raises(RuntimeError, match=r"out of range|no element 7"):
        gather(cupy.ones(3), cupy.asarray([0, 7]))


@pytest.mark.parametrize("rows", [(0,), (2, 0)])
def test_empty_batches(rows):
    x, weight = cupy.ones((*rows, 3)), cupy.ones(3)
    same(gemv(cupy.ones((*rows, 5, 3)), weight), np.ones((*rows, 5)))
    same(rms_norm(x.astype("f4"), weight.astype("f4")), np.ones((*rows, 3)))
    same(gather(x, cupy.full((*rows, 1), 9)), np.ones((*rows, 1)))


def test_bodies_get_the_strides_of_rows():
    x, scale, y = (
        cupy.ones((2, 3, 8), "f4"),
        cupy.arange(8, dtype="f4"),
        cupy.zeros((2, 3, 6), "f4"),
    )
    strides = cupy.zeros(5, "i8")
    spread(x[..., 2:6], scale[::2], y[..., 1:5], strides)
    assert strides.tolist() == [8, 1, 2, 6, 1]
    same(y[0, 0], [0, 0, 2, 4, 6, 0])


def test_optional_arrays_that_are_written():
    x = cupy.asarray([0.5, 3.0, -1.0, 2.0])
    mask, total = cupy.zeros(4, "?"), cupy.ones(4)
    same(clamp(x), [0.5, 1, -1, 1])
    assert not mask.any()
    same(clamp(x, mask, total=total), [0.5, 1, -1, 1])
    assert mask.tolist() == [False, True, False, True]
    same(total, [1.5, 2, 0, 2])
    rows, counts = cupy.ones((2, 3), "f4"), cupy.ones(2, "i8")
    module.tally_rows(rows, None, counts=counts)
    assert counts.tolist() == [4, 4]


def test_bfloat16_comes_and_goes():
    pytest.importorskip("ml_dtypes")
    x = cupy.from_dlpack(cuvec.asarray([1, 2, 4], "bfloat16"))
    assert (type(x), x.dtype.name) == (cupy.ndarray, "bfloat16")
    y = scale(2, x)
    assert (type(y), y.dtype.name) == (cupy.ndarray, "bfloat16")
    np.testing.assert_array_equal(cupy.asnumpy(y).astype("f4"), [2, 4, 8])
    out = cupy.empty_like(x)
    assert scale(3, x, out=out) is out
    np.testing.assert_array_equal(cupy.asnumpy(out).astype("f4"), [3, 6, 12])


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"])
def test_float8_stays_with_cuvec(dtype):
    """CuPy has no such dtypes: its arrays may have the bytes."""
    pytest.importorskip("ml_dtypes")
    y = scale(2, cuvec.asarray([1, 2, 4], dtype))
    assert (type(y), y.dtype.name) == (cuvec.CuVec, dtype)
    with pytest.raises(TypeError, match="x has dtype uint8"):
        scale(2, cupy.asarray([1, 2, 4], "u1"))


@pytest.mark.function("quantize")
def test_results_that_cupy_has_no_dtype_for():
    pytest.importorskip("ml_dtypes")
    x = cupy.asarray([1, 2, -1000], "f4")
    message = exactly("q: CuPy has no float8_e4m3fn; pass an array of cuvec as out")
    with pytest.raises(TypeError, match=message):
        module.quantize(x)
    out = cuvec.empty(3, "float8_e4m3fn")
    assert module.quantize(x, out=out) is out
    np.testing.assert_array_equal(out.astype("f4"), [1, 2, -448])


def test_structs_by_value():
    """Arrays of structs are of NumPy alone, so that the result is, too."""
    grid = {"spacing": [0.5, 0.25, 2.0], "rotation": [[1, 2], [3, 4]], "periodic": 0, "size": 3}
    p = spawn(cupy.arange(5, dtype="f4"), grid)
    assert (type(p), p.dtype) == (cuvec.CuVec, Particle)
    np.testing.assert_array_equal(p["energy"], np.arange(5))
    np.testing.assert_array_equal(p["pos"][4], [4 * 0.5 + 3, 4 * 0.25 + 3, 4 * 2 + 3])
    out = cuvec.empty(5, Particle)
    assert spawn(cupy.arange(5, dtype="f4"), grid, out=out) is out
    np.testing.assert_array_equal(out, p)
