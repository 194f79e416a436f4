"""Variables that share a list of dtypes: indices of int32 with others of int64."""

import itertools

import numpy as np
import pytest
from errors import exactly
from package import core, csr_product, spmv

MATRIX = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
INDPTR, INDICES, DATA = [0, 2, 2, 3], [0, 2, 1], np.array([1.0, 2.0, 3.0])
X = np.array([1.0, 10.0, 100.0])


@pytest.mark.parametrize(
    ("of_indptr", "of_indices", "of_data"),
    list(itertools.product(["int32", "int64"], ["int32", "int64"], ["float32", "float64"])),
)
def test_every_combination(of_indptr, of_indices, of_data):
    indptr, indices = np.array(INDPTR, of_indptr), np.array(INDICES, of_indices)
    y = csr_product(indptr, indices, DATA.astype(of_data), X.astype(of_data))
    assert y.dtype == of_data
    np.testing.assert_array_equal(y, MATRIX @ X)


def test_other_dtypes_are_refused():
    wrong = np.array(INDICES, "uint32")
    message = exactly("indices has dtype uint32, but must have int32 or int64")
    with pytest.raises(TypeError, match=message):
        csr_product(np.array(INDPTR), wrong, DATA, X)


def test_one_variable_is_one_dtype():
    message = exactly("indptr and indices must have the same dtype, not int64 and int32")
    with pytest.raises(TypeError, match=message):
        spmv(np.array(INDPTR), np.array(INDICES, "int32"), DATA, X)


def test_signature():
    assert "indices: J(k)" in core.signatures["csr_product"]
