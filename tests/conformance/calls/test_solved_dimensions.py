"""Dimensions that are solved for: `indptr: I(m+1)` gives `m`, and `x: T(...,2*d)` gives `d`."""

import numpy as np
import pytest
from errors import exactly
from package import module

spmv = getattr(module, "spmv", None)
pair_sums = getattr(module, "pair_sums", None)


@pytest.fixture(params=["int32", "int64"])
def matrix(request):
    """The matrix [[1, 0, 2], [0, 0, 0], [0, 3, 0], [4, 5, 6]] in CSR."""
    indptr = np.array([0, 2, 2, 3, 6], request.param)
    indices = np.array([0, 2, 1, 0, 1, 2], request.param)
    return indptr, indices, np.arange(1.0, 7)


X = np.array([1.0, 10, 100])
PRODUCT = [201, 0, 30, 654]


@pytest.mark.function("spmv")
def test_size_less_one(matrix):
    np.testing.assert_array_equal(spmv(*matrix, X), PRODUCT)
    out = np.zeros(4)
    assert spmv(*matrix, X, out=out) is out
    np.testing.assert_array_equal(out, PRODUCT)


@pytest.mark.may_skip
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_sparse_matrices_are_three_arrays(index):
    sparse = pytest.importorskip("scipy.sparse")
    numbers = np.random.default_rng(1).random((40, 3))
    matrix = sparse.csr_array(np.where(numbers < 0.3, numbers, 0))
    matrix.indptr, matrix.indices = matrix.indptr.astype(index), matrix.indices.astype(index)
    for rows in (matrix, matrix[7:20], sparse.coo_array(matrix).tocsr()):
        y = spmv(rows.indptr, rows.indices, rows.data, X)
        np.testing.assert_allclose(y, rows @ X, rtol=1e-12)


@pytest.mark.function("spmv")
def test_no_rows():
    empty = np.zeros(0, "int32")
    assert spmv(np.zeros(1, "int32"), empty, np.zeros(0), X).shape == (0,)


@pytest.mark.function("spmv")
def test_no_size_is_left(matrix):
    message = "indptr has shape (0,), but m+1 cannot be 0"
    with pytest.raises(ValueError, match=exactly(message)):
        spmv(matrix[0][:0], *matrix[1:], X)


@pytest.mark.function("spmv")
def test_out_must_agree(matrix):
    message = "out has shape (5,), but m is 4 in indptr of shape (5,)"
    with pytest.raises(ValueError, match=exactly(message)):
        spmv(*matrix, X, out=np.zeros(5))


@pytest.mark.function("spmv")
def test_loop_dimensions(matrix):
    product = spmv(*matrix, np.stack([X, 2 * X]))
    np.testing.assert_array_equal(product, [PRODUCT, np.multiply(PRODUCT, 2)])


@pytest.mark.function("pair_sums")
@pytest.mark.parametrize("shape", [(6,), (2, 6), (3, 2, 4), (2, 0), (0, 4)])
def test_half_of_a_size(shape):
    x = np.arange(np.prod(shape), dtype="float32").reshape(shape)
    first, second = np.split(x, 2, axis=-1)
    np.testing.assert_array_equal(pair_sums(x), first + second)


@pytest.mark.function("pair_sums")
def test_uneven_size():
    message = "x has shape (2, 7), but 2*d cannot be 7"
    with pytest.raises(ValueError, match=exactly(message)):
        pair_sums(np.zeros((2, 7)))
