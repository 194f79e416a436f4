"""Arrays of Arrow."""

import numpy as np
import pyarrow as pa
import pytest
from package import axpy, cuvec, dot

VALUES = np.arange(1, 9, dtype="f4")


def test_an_array_is_an_argument():
    y = cuvec.zeros(8)
    axpy(2, pa.array(VALUES), y)
    np.testing.assert_array_equal(y, 2 * VALUES)
    axpy(1, pa.array(VALUES)[2:], y[2:])
    np.testing.assert_array_equal(y[2:], 3 * VALUES[2:])
    assert dot(pa.array(VALUES), VALUES) == 204


@pytest.mark.parametrize(
    "array", [pa.array(VALUES), pa.chunked_array([VALUES[:3], VALUES[3:]])], ids=type
)
def test_an_array_is_copied(array):
    copied = cuvec.asarray(array)
    assert isinstance(copied, cuvec.CuVec)
    np.testing.assert_array_equal(copied, VALUES)


def test_an_array_is_not_written():
    array = pa.array(VALUES)
    with pytest.raises(ValueError, match="y is written to, but it is read-only"):
        axpy(1, cuvec.ones(8), array)
    np.testing.assert_array_equal(array, VALUES)


@pytest.mark.filterwarnings("ignore:Exporting an unversioned DLPack")
def test_arrays_with_nulls_are_refused():
    with pytest.raises(TypeError, match="nulls"):
        axpy(1, pa.array([1.0, None], pa.float32()), cuvec.ones(2))
